import droid from '../../../src/agents/droid/client.ts';
import { decides } from '../scenarios/decide.ts';

decides(droid);

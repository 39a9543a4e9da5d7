import cline from '../../../src/agents/cline/client.ts';
import { decides } from '../scenarios/decide.ts';

decides(cline);

import droid from '../../../src/agents/droid/client.ts';
import { remembers } from '../scenarios/memory.ts';

remembers(droid);

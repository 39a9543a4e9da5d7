import pi from '../../../src/agents/pi/client.ts';
import { remembers } from '../scenarios/memory.ts';

remembers(pi);

import pi from '../../../src/agents/pi/client.ts';
import { decides } from '../scenarios/decide.ts';

decides(pi);

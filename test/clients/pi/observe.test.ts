import pi from '../../../src/agents/pi/client.ts';
import { observes } from '../scenarios/observe.ts';

observes(pi);

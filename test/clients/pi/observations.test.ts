import pi from '../../../src/agents/pi/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(pi);

import pi from '../../../src/agents/pi/client.ts';
import { approvesItself } from '../scenarios/self-approval.ts';

approvesItself(pi);

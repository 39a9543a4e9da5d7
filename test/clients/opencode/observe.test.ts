import opencode from '../../../src/agents/opencode/client.ts';
import { observes } from '../scenarios/observe.ts';

observes(opencode);

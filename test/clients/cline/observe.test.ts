import cline from '../../../src/agents/cline/client.ts';
import { observes } from '../scenarios/observe.ts';

observes(cline);

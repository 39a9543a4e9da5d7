import grok from '../../../src/agents/grok/client.ts';
import { observes } from '../scenarios/observe.ts';

observes(grok);

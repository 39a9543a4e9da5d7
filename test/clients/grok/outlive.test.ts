import grok from '../../../src/agents/grok/client.ts';
import { outlives } from '../scenarios/outlive.ts';

outlives(grok);

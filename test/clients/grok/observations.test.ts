import grok from '../../../src/agents/grok/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(grok);

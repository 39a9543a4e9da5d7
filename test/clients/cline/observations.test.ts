import cline from '../../../src/agents/cline/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(cline, {
  missing: { end: '3.0.65 tells plugins nothing of the end of a session' },
});

import qwen from '../../../src/agents/qwen/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(qwen, {
  missing: { end: '0.24.4 sends no end of a session with -p' },
});

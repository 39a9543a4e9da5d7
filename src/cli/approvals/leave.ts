import { HANDED_BACK } from '../../approvals/approval.ts';
import { defineCommand } from '../command.ts';
import { answerFromCommand } from './answer.ts';

export default defineCommand({
  name: 'leave',
  summary: "Hand a pending call back to the agent's own prompt.",
  words: '<id>',
  options: {},
  examples: [['hookline leave 3fa9', 'the agent shows its own permission prompt']],
  asScript: true,
  run: (_, [id]) => answerFromCommand('leave', id, HANDED_BACK),
});

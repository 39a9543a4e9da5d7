import { SCOPES } from '../../approvals/approval.ts';
import { defineCommand, flag, value } from '../command.ts';
import { answerFromCommand, scopeOption } from './answer.ts';

export default defineCommand({
  name: 'deny',
  summary: 'Deny a pending call.',
  words: '<id>',
  options: {
    message: value('TEXT', 'Reason shown to the model.', { short: 'm' }),
    scope: value(SCOPES.join('|'), 'Scope of the answer (default: once).'),
    stop: flag('Also end the turn.'),
  },
  examples: [
    ['hookline deny 3fa9 -m "Use the staging database."', 'shown to the model'],
    ['hookline deny 3fa9 --scope project', 'deny it in this project from now on'],
  ],
  asScript: true,
  async run({ message, scope, stop }, [id]) {
    const known = scopeOption('deny', scope);
    return answerFromCommand('deny', id, {
      decision: 'deny',
      ...(message === undefined ? {} : { message }),
      ...(known ? { scope: known } : {}),
      ...(stop ? { halt: true } : {}),
    });
  },
});

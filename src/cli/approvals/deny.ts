import { SCOPES } from '../../approvals/approval.ts';
import { defineCommand, flag, value } from '../command.ts';
import { answerFromCommand, scopeOption } from './answer.ts';

export default defineCommand({
  name: 'deny',
  summary: 'Refuse a pending call.',
  words: '<id>',
  options: {
    message: value('TEXT', 'Why, for the model.', { short: 'm' }),
    scope: value(SCOPES.join('|'), 'For how long it applies (once).'),
    stop: flag('End the turn as well.'),
  },
  examples: [
    ['hookline deny 3fa9 -m "Use the staging database."', 'the model reads it'],
    ['hookline deny 3fa9 --scope project', 'and never again in this project'],
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

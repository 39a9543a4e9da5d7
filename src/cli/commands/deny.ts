import { SCOPES } from '../../approvals/approval.ts';
import { answerFromCommand, scopeOption } from '../answer.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'deny',
  summary: 'Refuse a pending call.',
  words: '<id>',
  options: {
    message: { type: 'string', short: 'm', value: 'TEXT', description: 'Why, for the model.' },
    scope: { type: 'string', value: SCOPES.join('|'), description: 'For how long it applies (once).' },
    stop: { type: 'boolean', description: 'End the turn as well.' },
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

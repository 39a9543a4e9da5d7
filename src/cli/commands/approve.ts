import * as v from 'valibot';
import { SCOPES } from '../../approvals/approval.ts';
import { answerFromCommand } from '../answer.ts';
import { defineCommand, usage } from '../command.ts';

const changes = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

export default defineCommand({
  name: 'approve',
  summary: 'Allow what waits for a person.',
  words: '<id>',
  options: {
    scope: { type: 'string', value: SCOPES.join('|'), description: 'For how long it holds (once).' },
    input: {
      type: 'string',
      value: 'JSON',
      description: 'Arguments to change first; for a question, {"answers": {…}}.',
    },
    message: { type: 'string', short: 'm', value: 'TEXT', description: 'A word to the model.' },
  },
  examples: [
    ['hookline approve 3fa9', 'the beginning of an id is enough'],
    ['hookline approve 3fa9 --scope project', 'and do not ask again in this project'],
  ],
  async run({ scope, input, message }, [id]) {
    const known = SCOPES.find((one) => one === scope);
    if (scope !== undefined && !known) throw usage('approve', `--scope is one of ${SCOPES.join(', ')}.`);
    const parsed = input === undefined ? null : v.safeParse(changes, input);
    if (parsed && !parsed.success) throw usage('approve', '--input takes a JSON object.');
    return answerFromCommand('approve', id, {
      decision: 'allow',
      ...(known ? { scope: known } : {}),
      ...(parsed ? { input: parsed.output } : {}),
      ...(message === undefined ? {} : { message }),
    });
  },
});

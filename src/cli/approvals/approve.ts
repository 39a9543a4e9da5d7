import * as v from 'valibot';
import { SCOPES } from '../../approvals/approval.ts';
import { defineCommand, usage, value } from '../command.ts';
import { answerFromCommand, scopeOption } from './answer.ts';

const changes = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));
const chosen = v.union([
  v.pipe(
    v.string(),
    v.transform((one) => [one]),
  ),
  v.array(v.string()),
]);
const choices = v.pipe(v.string(), v.parseJson(), v.record(v.string(), chosen));

export default defineCommand({
  name: 'approve',
  summary: 'Allow a pending call.',
  words: '<id>',
  options: {
    scope: value(SCOPES.join('|'), 'Scope of the answer (default: once).'),
    input: value('JSON', 'Replace these arguments before the call runs.'),
    answers: value('JSON', 'Answers to questions: {"Which one?": "This"}; use a list for several choices.'),
    message: value('TEXT', 'Message for the model.', { short: 'm' }),
  },
  examples: [
    ['hookline approve 3fa9', 'the start of an ID is enough'],
    [`hookline approve 3fa9 --answers '{"Which database?": "SQLite"}'`, 'answer a question'],
    ['hookline approve 3fa9 --scope project', "don't ask again in this project"],
  ],
  asScript: true,
  async run({ scope, input, answers, message }, [id]) {
    const known = scopeOption('approve', scope);
    const parsed = input === undefined ? null : v.safeParse(changes, input);
    if (parsed && !parsed.success) throw usage('approve', '--input takes a JSON object.');
    const picked = answers === undefined ? null : v.safeParse(choices, answers);
    if (picked && !picked.success)
      throw usage('approve', '--answers takes a JSON object that maps questions to answers.');
    return answerFromCommand('approve', id, {
      decision: 'allow',
      ...(known ? { scope: known } : {}),
      ...(parsed ? { input: parsed.output } : {}),
      ...(picked ? { answers: picked.output } : {}),
      ...(message === undefined ? {} : { message }),
    });
  },
});

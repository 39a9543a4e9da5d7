import { answerFromCommand } from '../answer.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'deny',
  summary: 'Refuse what waits for a person.',
  words: '<id>',
  options: {
    message: { type: 'string', short: 'm', value: 'TEXT', description: 'Why, for the model.' },
    stop: { type: 'boolean', description: 'End the turn as well.' },
  },
  examples: [['hookline deny 3fa9 -m "Use the staging database."', 'the model reads it']],
  async run({ message, stop }, [id]) {
    return answerFromCommand('deny', id, {
      decision: 'deny',
      ...(message === undefined ? {} : { message }),
      ...(stop ? { halt: true } : {}),
    });
  },
});

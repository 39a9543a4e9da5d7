import * as v from 'valibot';
import type { Agent } from '../agent.ts';

const input = v.looseObject({
  questions: v.array(
    v.looseObject({
      question: v.string(),
      options: v.optional(
        v.array(v.looseObject({ label: v.string(), description: v.optional(v.string(), '') })),
        [],
      ),
      multiSelect: v.optional(v.boolean(), false),
    }),
  ),
});

/**
 * AskUserQuestion: answers are keyed by the text of the question, several choices are joined by commas, and free text
 * is taken as it is (2.1.325). Everything else of the input has to be echoed, which a rewrite does anyway.
 */
export const questions: NonNullable<Agent['questions']> = {
  read(tool) {
    const parsed = v.safeParse(input, tool.input);
    if (!parsed.success) return [];
    return parsed.output.questions.map(({ question, options, multiSelect }) => ({
      id: question,
      text: question,
      options: options.map(({ label, description }) => ({ label, description })),
      multiple: multiSelect,
    }));
  },
  answer: (_, answers) => ({
    answers: Object.fromEntries(
      Object.entries(answers).map(([question, chosen]) => [question, chosen.join(', ')]),
    ),
  }),
};

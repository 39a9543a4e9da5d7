import * as v from 'valibot';
import type { Provider } from '../config-schema.ts';
import { postForText } from '../fetch-text.ts';

interface Question {
  readonly prompt: string;
  readonly model: string;
  readonly budgetMs: number;
}

interface Wire {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly answer: v.GenericSchema<unknown, string>;
}

const INSTRUCTION = 'You judge one event of a coding agent. Answer with one JSON object and nothing else.';

const openai = v.pipe(
  v.looseObject({
    choices: v.pipe(
      v.array(v.looseObject({ message: v.looseObject({ content: v.string() }) })),
      v.minLength(1),
    ),
  }),
  v.transform(({ choices }) => choices.map(({ message }) => message.content).join('')),
);
const anthropic = v.pipe(
  v.looseObject({ content: v.array(v.looseObject({ text: v.optional(v.string(), '') })) }),
  v.transform(({ content }) => content.map(({ text }) => text).join('')),
);
const google = v.pipe(
  v.looseObject({
    candidates: v.array(
      v.looseObject({
        content: v.looseObject({ parts: v.array(v.looseObject({ text: v.optional(v.string(), '') })) }),
      }),
    ),
  }),
  v.transform(({ candidates }) =>
    candidates.flatMap(({ content }) => content.parts.map(({ text }) => text)).join(''),
  ),
);

/** The model's answer. Rejects with a readable error that never contains the key. */
export async function askModel(
  provider: Provider,
  question: Question,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const key = provider.key === undefined ? '' : (env[provider.key] ?? '');
  if (provider.key !== undefined && key === '')
    throw new Error(`the variable ${provider.key} contains no key`);
  const { url, headers, body, answer } = wireOf(provider, question, key);
  const { status, text } = await postForText(url, JSON.stringify(body), headers, question.budgetMs);
  if (status < 200 || status > 299) throw new Error(`the model server responded with status ${status}`);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), answer), text);
  if (!parsed.success) throw new Error('the model server sent an invalid response');
  return parsed.output;
}

function wireOf(provider: Provider, { prompt, model }: Question, key: string): Wire {
  const { maxTokens, url } = provider;
  const base = (standard: string) => (url ?? standard).replace(/\/+$/, '');
  switch (provider.type) {
    case 'openai':
      return {
        url: `${base('https://api.openai.com/v1')}/chat/completions`,
        headers: key === '' ? {} : { authorization: `Bearer ${key}` },
        body: {
          model,
          max_tokens: maxTokens,
          temperature: 0,
          messages: [
            { role: 'system', content: INSTRUCTION },
            { role: 'user', content: prompt },
          ],
        },
        answer: openai,
      };
    case 'anthropic':
      return {
        url: `${base('https://api.anthropic.com')}/v1/messages`,
        headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
        body: {
          model,
          max_tokens: maxTokens,
          system: INSTRUCTION,
          messages: [{ role: 'user', content: prompt }],
        },
        answer: anthropic,
      };
    case 'google':
      return {
        url: `${base('https://generativelanguage.googleapis.com/v1beta')}/models/${encodeURIComponent(model)}:generateContent`,
        headers: { 'x-goog-api-key': key },
        body: {
          systemInstruction: { parts: [{ text: INSTRUCTION }] },
          contents: [{ role: 'user', parts: [{ text: prompt }] }],
          generationConfig: {
            maxOutputTokens: maxTokens,
            temperature: 0,
            responseMimeType: 'application/json',
          },
        },
        answer: google,
      };
  }
}

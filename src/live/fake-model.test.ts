import { expect, onTestFinished, test } from 'vitest';
import { fakeModel, type ModelApiName } from './fake-model.ts';

const TOOLS = [{ type: 'function', function: { name: 'shell' } }];

const REQUESTS: Readonly<Record<ModelApiName, readonly [path: string, body: object]>> = {
  messages: [
    '/v1/messages',
    { model: 'm', messages: [{ role: 'user', content: 'Hi there' }], tools: [{ name: 'shell' }] },
  ],
  responses: [
    '/v1/responses',
    {
      model: 'm',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi there' }] }],
    },
  ],
  'generate-content': [
    '/v1beta/models/m:streamGenerateContent',
    {
      contents: [{ role: 'user', parts: [{ text: 'Hi there' }] }],
      tools: [{ functionDeclarations: [{ name: 'shell' }] }],
    },
  ],
  'chat-completions': [
    '/v1/chat/completions',
    { model: 'm', messages: [{ role: 'user', content: 'Hi there' }], tools: TOOLS },
  ],
};

test.each(Object.entries(REQUESTS))(
  'a model that speaks %s follows the script',
  async (api, [path, body]) => {
    const model = await fakeModel(nameOf(api), ['Good morning.']);
    onTestFinished(() => model.close());
    const answer = await fetch(model.url + path, { method: 'POST', body: JSON.stringify(body) });
    expect(await answer.text()).toContain('Good morning.');
    expect(model.told(0)).toContain('Hi there');
    expect(model.missingSteps).toEqual([]);
  },
);

function nameOf(api: string): ModelApiName {
  const name = (['messages', 'responses', 'generate-content', 'chat-completions'] as const).find(
    (one) => one === api,
  );
  if (name === undefined) throw new Error(api);
  return name;
}

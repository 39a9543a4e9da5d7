import { startChatServer } from '../sandbox/models/chat-completions.ts';
import { startGenerateContentServer } from '../sandbox/models/generate-content-server.ts';
import { startMessagesServer } from '../sandbox/models/messages-server.ts';
import { startResponsesServer } from '../sandbox/models/responses-server.ts';
import type { ModelServer, Step } from '../sandbox/script.ts';

/** The APIs of models that coding agents speak. */
export type ModelApiName = 'messages' | 'responses' | 'generate-content' | 'chat-completions';

const SERVERS: Readonly<Record<ModelApiName, (script: readonly Step[]) => Promise<ModelServer>>> = {
  messages: startMessagesServer,
  responses: startResponsesServer,
  'generate-content': startGenerateContentServer,
  'chat-completions': startChatServer,
};

/**
 * A model on loopback that says what a script says. Step k answers the request that has k answers of the model behind
 * it; titles, summaries and other requests outside the agent's own loop take no step. Close it when you are done.
 * @example
 * import { fakeModel } from 'hookline/testing';
 *
 * const model = await fakeModel('messages', ['Hello.']);
 * // … run a client with model.url as the base URL of its API …
 * model.told(0); // all that the model was told before it said "Hello."
 * await model.close();
 */
export function fakeModel(api: ModelApiName, script: readonly Step[]): Promise<ModelServer> {
  return SERVERS[api](script);
}

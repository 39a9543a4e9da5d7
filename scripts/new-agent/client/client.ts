import type { Client } from '../client.ts';
import { pinOf } from '../install.ts';

export const newagent: Client = {
  id: 'newagent',
  pin: pinOf('newagent'),
  // TODO(new-agent): list the event types of one turn with one shell command, in a session of its own
  turnEvents: ['session_start', 'before_tool', 'after_tool'],
  // TODO(new-agent): write model-server.ts, a scripted model that the client can talk to on loopback
  startModel: () => Promise.reject(new Error('There is no model server for this client yet.')),
  // TODO(new-agent): point the client to that model, and keep it from talking to anything else
  environment: (model) => ({ NEWAGENT_BASE_URL: model.url }),
  // TODO(new-agent): give the arguments of one turn that ends by itself
  turn: (prompt) => ['--prompt', prompt],
  // TODO(new-agent): say how the client's model asks for a shell command
  shell: (command) => ({ tool: 'shell', input: { command } }),
};

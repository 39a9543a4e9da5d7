import type { Client } from '../../sandbox/client.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };

const client: Client = {
  id: 'newagent',
  pin,
  contract,
  // TODO(new-agent): list the event types of one turn with one shell command, in a session of its own
  turnEvents: ['session_start', 'before_tool', 'after_tool'],
  // TODO(new-agent): start the scripted model that the client can talk to, one of src/sandbox/models
  startModel: () => Promise.reject(new Error('There is no model server for this client yet.')),
  // TODO(new-agent): point the client to that model, and keep it from talking to anything else
  scripted: (model) => ({ env: { NEWAGENT_BASE_URL: model.url } }),
  // TODO(new-agent): give what lets every shell command run without asking, behind the arguments of a turn
  trusting: [],
  // TODO(new-agent): give the arguments of one turn that ends by itself
  turn: (prompt) => ['--prompt', prompt],
  // TODO(new-agent): say how the client's model asks for a shell command
  shell: (command) => ({ tool: 'shell', input: { command } }),
  // TODO(new-agent): say how it reads and changes files
  files: {
    read: (path) => ({ tool: 'read', input: { path } }),
    edit: (path, from, to) => ({ tool: 'edit', input: { path, from, to } }),
  },
};

export default client;

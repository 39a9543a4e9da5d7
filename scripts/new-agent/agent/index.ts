import { type Agent, impossible, native, type Supports } from '../agent.ts';
import { askAsRefusal, messageLost, supportRows, UNREAD } from '../kit/support-rows.ts';
import { payloads, toolPayload, withInput } from './decode.ts';
import { encode, refusals } from './encode.ts';
import { settings, setup } from './setup.ts';

// TODO(new-agent): set the version of the client that the fixtures are captured from
const VERSION = '0.0.0';

const row = supportRows(VERSION, {
  systemMessage: messageLost(VERSION),
  grants: impossible(`${VERSION} takes no permissions to remember from a hook.`),
  env: impossible(`${VERSION} has no way for a hook to set variables for later commands.`),
  llmRequest: impossible(`${VERSION} shows hooks no request to the model.`),
  llmResponse: impossible(`${VERSION} shows hooks no answer of the model.`),
  toolConfig: impossible(`${VERSION} asks hooks for no choice of tools.`),
});

// TODO(new-agent): say for each event and effect whether the client does it, and the surprise where there is one
const supports: Supports = {
  session_start: row({ context: native }),
  before_tool: row({ deny: native, ask: askAsRefusal(VERSION) }),
  after_tool: row(),
  unknown: UNREAD,
};

const newagent: Agent = {
  id: 'newagent',
  label: 'New Agent',
  testedVersion: VERSION,
  // TODO(new-agent): list the variables that the client sets for hooks and that decode.ts or encode.ts read
  envAllowList: [],
  // TODO(new-agent): list the files that switch its hooks on and off, which an agent may not edit itself
  settingsFiles: ['**/.newagent/settings.json'],
  // TODO(new-agent): list the arguments of its shell tool that do not change how the command runs
  shellRemarks: [],
  // TODO(new-agent): say how its processes, and those that it starts, are recognised: `ps eww` while a tool of it runs
  processes: { programs: ['newagent'], packages: [], variables: [] },
  // TODO(new-agent): list the options and variables with which it runs without its hooks, or with other settings
  escapes: { programs: ['newagent'], unhooked: [], otherSettings: [], variables: [] },
  supports,
  // TODO(new-agent): list the tool calls for which the client fires no hook
  blindSpots: [],
  decode: payloads.decode,
  encode: (event, response, env) => encode(newagent, event, response, env),
  refusals,
  withInput,
  toolPayload,
  timeoutMs: settings.timeoutMs,
  setup,
};

export default newagent;

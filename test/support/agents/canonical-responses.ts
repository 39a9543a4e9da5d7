import {
  allow,
  ask,
  context,
  deny,
  type HookResponse,
  halt,
  none,
  rewrite,
} from '../../../src/model/responses.ts';

const GRANTS: HookResponse['grants'] = [
  { behavior: 'allow', tool: 'Bash', pattern: 'npm test:*', scope: 'project' },
  { behavior: 'allow', tool: 'Task', pattern: null, scope: 'session' },
];

/** The responses that every agent has to have an answer to, on every event. Golden files are named by them. */
export const CANONICAL_RESPONSES: Readonly<Record<string, HookResponse>> = {
  none: none(),
  allow: allow('This is fine.'),
  deny: deny('Not on this branch.'),
  ask: ask('Touches production.'),
  context: context('The build is red.'),
  rewrite: rewrite({ command: 'echo safe' }),
  halt: halt('The budget is spent.'),
  systemMessage: { decision: 'none', systemMessage: 'Hookline is watching.' },
  replaceOutput: { decision: 'none', replaceOutput: 'Replaced.' },
  grants: { decision: 'none', grants: GRANTS },
  env: { decision: 'none', env: { STAGE: "it's a test" } },
  'deny+halt': { ...deny('Not on this branch.'), halt: 'The budget is spent.' },
  'allow+rewrite': { ...allow(), modifyArgs: { command: 'echo safe' } },
  'allow+grants': { ...allow(), grants: GRANTS },
  'deny+context': { ...deny('Not on this branch.'), context: 'The build is red.' },
  llmRequest: { decision: 'none', llmRequest: { model: 'other' } },
  llmResponse: { decision: 'none', llmResponse: { text: 'Hello.' } },
  toolConfig: { decision: 'none', toolConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] } },
};

import type { ACTS } from '../src/knowledge/acts.ts';
import type { RECOVERIES } from '../src/rules/recovery/recoveries.ts';
import type { ConditionsText, RuleText } from '../src/rules/schema.ts';

// What docs/rules-reference.md says of each word. A key without a sentence does not compile.

export const CONDITIONS: Readonly<Record<keyof ConditionsText, string>> = {
  agent: 'calls of this agent',
  tool: "this tool, by canonical name (`Bash`, `Read`, `Write`, `Edit`, `WebFetch` …) or the agent's own",
  command: 'a command that would run, among others on the line; `* --no-verify` is that flag on any program',
  reads: 'files that a file tool, a patch or a command reads ([path patterns](#patterns))',
  writes: 'files that are written; `<unknown>` is a path that is known only at run time',
  deletes: 'files that are deleted',
  links: 'files or directories that get a link, or are mounted elsewhere or over',
  sends: 'files whose content leaves the machine, also through copies, archives, links, variables and pipes',
  exposes: 'files and directories that a program gets which is not known to only read them',
  host: 'network access to this host: a name without scheme, port or path',
  mcp: 'an MCP tool, as `server/tool`; `server` alone is all its tools',
  prompt: 'prompts that contain this; `/…/i` is a regular expression',
  output: 'tool results that contain this, likewise',
  cwd: 'sessions in this directory',
  branch: 'sessions on this branch',
  effects: 'what the command does, in [effect words](#effects)',
  act: 'what the call does, in any tool; see [Acts](#acts)',
  object: 'what the act is done to; see [Acts](#acts)',
  coverage:
    'command lines that Hookline could follow in part, not at all, or not to the end because of their size',
  tree: 'repositories with uncommitted changes (`dirty`) or without (`clean`)',
  recovery: 'how you can get back what the call takes away; see [Recovery](#recovery)',
  untested:
    '`true`: files changed after the last test run that passed with a visible exit code (Codex hooks send none)',
  calm: '`true`, with `allow` only: [read-only calls](analysis.md#read-only-calls); with `command`, also these commands',
  exists: 'projects that have this file: `/…` absolute, `~/…` in your home, else from the project root',
  denied: 'this call is denied again, after so many times: `3 per turn`, `5 per session`, `10 per hour`',
  denials: 'so many calls of any kind were denied, likewise',
  conflict: 'another session wrote the same `file`, or on the same `branch` in the same directory',
  within: 'with `conflict`: how long ago at most, such as `10m`',
  when: 'a [CEL expression](#expressions) is true',
};

export const ACTIONS = {
  deny: 'deny the call, with the reason for the model',
  ask: 'ask for your approval; `by-reason` takes the sentence that the packs have for the act',
  allow: 'allow the call; `true` or a reason. See [Allow rules](#allow-rules)',
  next: 'next step for the model; a person who is asked sees the reason only',
  context: 'tell the model this',
  notify: 'show you this',
  rewrite: 'change these arguments and keep the others: `{command: npm test}`',
  halt: 'end the turn, for this reason',
  grants: 'with `allow`: permissions for the agent to remember, as `{tool, pattern, scope}`',
  env: "variables for the session's later commands",
  llmRequest: 'change the request to the model, where the agent has an event for it',
  llmResponse: "change the model's response, likewise",
  toolConfig: 'change which tools the model may choose, likewise',
  native: 'fields of one agent, sent as they are: `{gemini: {…}}`',
} satisfies Partial<Record<keyof RuleText, string>>;

export const OPTIONS = {
  id: 'name of the rule in reasons, in the history and in `disabledRules`',
  on: '[event or group](events.md), or a list; `tool` is the default',
  unless: 'conditions under which the rule does not match: one map, or a list of which one must match',
  certainty:
    '`certain`, `likely` (default) or, with `ask`, `possible`; see [Certainty](analysis.md#certainty)',
  mode: '`observe`: only record what the rule would do; `enforce` is the default',
  until: 'end of the rule, such as `2026-12-31T18:00:00Z`',
  limit: 'applies after so many matches: `3 per turn`, `10 per session`, `20 per hour`',
  repeat: 'on `turn_end`: how often in one turn the end may be denied (1)',
  protected: '`true`: pauses during `hookline unlock`',
  tests: 'examples under `match` and `pass`, which `hookline rules test` runs',
} satisfies Record<Exclude<keyof RuleText, keyof ConditionsText | keyof typeof ACTIONS>, string>;

export const ACT_WORDS: Readonly<Record<(typeof ACTS)[number], string>> = {
  read: 'looks at something',
  write: 'makes something',
  overwrite: 'replaces something',
  remove: 'takes something away',
  stop: 'makes something unusable without removing it',
  send: 'sends something off the machine',
  run: 'runs code now',
  grant: 'gives rights to a user or program',
  unguard: 'removes a protection',
  persist: 'lets code run later or by itself',
  publish: 'gives others a version',
  message: 'sends people a message',
  pay: 'spends or moves money',
  expose: 'lets others reach the machine',
  change: 'changes something',
};

export const RECOVERY_WORDS: Readonly<Record<(typeof RECOVERIES)[number], string>> = {
  committed: 'is in the last commit unchanged; for git commands that discard, the whole repository is',
  regenerable: 'a build or tool makes it again; outside of the project only caches and temporary files',
  'made-here': 'was made by this session and changed by its calls only, or does not exist yet',
  none: 'is lost: git has no copy, or a service keeps it',
  unknown: 'counts as lost',
};

/** Effects whose words do not say enough. */
export const EFFECTS: Readonly<Record<string, string>> = {
  'write below': 'writes files in this directory, by names that are not known in advance',
  'delete found sieved': 'deletes what a search finds by age, size or owner, which may be everything',
  'delete moved': 'moves something away',
  'expose mention': 'names a path inside a longer text; `expose place` is any other path',
  'send environment': 'sends all environment variables',
  'send secret': 'sends what a password store prints; `send variable` a variable with a secret name',
  'send database': 'sends a database dump',
  'send secret literal': 'sends a key, a token or a database address with a password',
  'send secret page': 'runs a script in a web page that sends its cookies or storage',
  'search secrets': 'searches outside of the project for key files or keys',
  'execute network': 'runs code from the network',
  'vcs loses-commits': 'loses commits; `vcs skips-hooks` skips git hooks',
  'network admin-port': 'calls the port of Docker, the kubelet, etcd, Consul, Nomad or Vault',
  'network carries': 'sends data about people or cards in the address itself',
  'resource destructive': 'destroys something in a service, such as `resource aws destructive`',
  'resource undescribed destructive': 'an unknown command with a verb such as `destroy`',
  'resource production': 'runs a migration, console or script with production settings',
  'resource remote': 'restarts or deploys on another machine',
  'resource mail': 'mails many people',
  'resource http destructive': 'sends a request that deletes',
  'resource disposable': 'removes a [disposable resource](analysis.md#disposable-resources)',
  'resource mcp destructive': 'an MCP tool takes something away; not a comment, a label or one container',
  'resource mcp access': 'an MCP tool changes rights or keys',
  'resource mcp secret': 'an MCP tool returns a password',
  'resource mcp money': 'an MCP tool moves money or ends a contract',
  'resource mcp message': 'an MCP tool messages many people or the public; not a team channel',
  'resource mcp release': 'an MCP tool merges a pull request or deploys to production',
  'run unsandboxed': "runs outside of the agent's sandbox",
  'run unfamiliar elevated':
    'runs a script or build with other rights; `elevated` and `as-root` follow any kind but `expose`',
  'system network': 'changes routes, addresses or proxies',
  'write secret literal': 'writes a key or token; example keys of manuals do not count',
  'write ci-secrets': 'a workflow prints or sends its secrets',
  'write ci-foreign-code': 'a `pull_request_target` workflow runs the proposed code',
  'write web-shell': 'a page runs what visitors send',
  'write tool-server': 'settings name an MCP server',
  'write start-code': 'settings load code into every program, such as `node-options` in `.npmrc`',
  'write registry': 'packages come from a source without checks',
  'write loosened': 'instructions tell an agent to get past hooks, approvals or the sandbox',
  'write hook-script': 'changes a script that an agent runs as a hook',
  'write unignored': 'an ignore file no longer excludes secrets',
  'write lock-file': 'a package comes from a new host or loses its checksum',
  'write unprotected':
    'infrastructure loses deletion protection, encryption or backups, or opens to `0.0.0.0/0`',
  'write ungated': 'a release loses its tests or approval, or code loses a security check',
  'write real-data': 'tests or development use production data',
  'write emptied': 'a data file becomes empty',
};

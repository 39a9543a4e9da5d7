// Says what each folder of `src` is. layering.test.ts compares the names with the folders, and writes docs/folders.md.

/** The folders of `src`, in the order of a call. */
export const FOLDERS: Readonly<Record<string, string>> = {
  forwarder:
    "the program in agents' settings: passes a call to the daemon, or evaluates it if no daemon answers",
  wire: "the line protocol between forwarder and daemon: requests, replies, limits, the socket's path",
  daemon: 'listens on the socket, on HTTP and for phones, serves the dashboard, publishes the live feed',
  engine: '`handle()`: decode, decide, encode, record, independent of the transport',
  agents:
    'one folder per coding agent: decode, encode, setup; `kit/` is shared by dialects, `setup/` by settings',
  rules: 'rule files and packs: how they are read, matched and answered',
  knowledge:
    'the schema of the files in the top-level `knowledge/`, their compiler, and the lookup of programs',
  doors: 'the words for acts in requests, MCP tools and methods in code',
  shell: 'a command line → parsed commands → what they would do',
  hooks: 'hooks that users write: TypeScript, scripts, HTTP, prompts',
  approvals: 'pending approvals, turn gates, grants',
  notify: 'notification channels (ntfy, Telegram, Slack), and which answers count',
  fleet:
    'many machines on one NATS server: connection, outbox, signed rules, shared approvals, the archive in PostgreSQL',
  access:
    'who may decide, grant, trust or remove: a person in a terminal, the dashboard, a script with a key',
  redact: 'removes secrets from text before anything is written, logged, shown or sent',
  store: 'SQLite: drivers, migrations, the recorder, queries',
  history: 'queries of the history: observations, transcripts, search, stats, memory, replay, shared pages',
  home: 'paths, configuration, identity, lock, spool; opening a home connects all parts',
  client:
    'how commands and the terminal UI talk to a daemon, or read the history; `index.ts` is `hookline/client`',
  cli: 'the commands, each loaded when it is called',
  tui: '`hookline watch`',
  terminal: 'makes untrusted text safe for a terminal; our own colors',
  model: 'events, responses, tools, and the contracts of deciding and recording; imports no other folder',
  sandbox:
    'a temporary machine for a real agent: directories, a clean environment, a scripted model on loopback',
  live: 'Hookline and an agent running in such a sandbox; `index.ts` is `hookline/testing`',
  platform: 'what Node lacks: atomic writes, processes by ID, secrets, loopback addresses',
};

interface Rooms {
  /** The files beside the rooms, which put them together. */
  readonly beside: string;
  readonly rooms: Readonly<Record<string, string>>;
}

/** The folders inside of these folders. Those of `agents` are named after agents. */
export const ROOMS: Readonly<Record<string, Rooms>> = {
  rules: {
    beside:
      '`rule-set.ts` puts the layers of rules together, `rule.ts` compiles one rule from `conditions.ts` and `exceptions.ts`, and `rule-index.ts` finds those that could match. `facts.ts` is all that rules ask about a call, each fact found out when it is first asked for. `handler.ts` asks the rules, and `reason.ts` words the answer. `pack.ts` opens the packs in `packs`.',
    rooms: {
      deeds: 'what a call does by act and object, from its effects and what is known of programs',
      files: 'how rule files are read: YAML, folders, sources that notice changes, trust',
      packs: 'the rules that come with Hookline, as YAML',
      places: 'what `"<name>"` in a pack stands for, and what names tell about a place',
      match: 'patterns of commands, paths, words and effects, and `when` expressions',
      calls: 'what the arguments of a tool call say: files, lines, changes, messages, money, secrets',
      written: 'what a text would do that goes into a file',
      hosts: 'what is known of an address',
      self: "calls of Hookline's own program, and what stops its processes",
      calm: 'whether a call only looks, and at nothing private',
      recovery: 'how what a call takes away can be had back: from git, from a tool, or not at all',
      session: 'what is remembered from call to call: counts, files, who wrote what',
      world: 'what is asked of the machine: real paths, drives, repositories, globs',
      review:
        'what people are told about rules: examples, drafts, remarks, effects on agents, what a change weakens',
      import: 'rules of other tools, turned into ours',
    },
  },
  redact: {
    beside:
      '`redact.ts` runs every search over a text, `scan.ts` is the one pass for forms and names, and `plain.ts` tells which places are worth a look. `env-values.ts` remembers values of `.env` files, and `ids.ts` keeps IDs distinct.',
    rooms: {
      text: 'how a text is read once, from left to right, and what is taken out of it',
      forms: 'secrets by how they look: prefixes, keys, tokens, seed phrases, random text',
      names: 'secrets by what they are called, and how a value is judged',
      formats: 'secrets by where they stand: tables, URLs, password files, SQL, settings',
      commands: 'secrets on a command line: options of programs, input, here-documents',
    },
  },
  shell: {
    beside:
      '`analyse.ts` is the way in, `walk.ts` and `runner.ts` follow the parsed line, `simple-command.ts` and `invocation.ts` sort the words of one command, `program-names.ts` finds the file of a program, and `call.ts` is what the code of a program gets. `analysis.ts` is what comes out of it.',
    rooms: {
      syntax: "the parser's tree in our form, and what an exit status tells",
      expand: 'words: variables, substitutions, patterns, braces',
      memory: 'what a line leaves for the commands after it: variables, files, links, names',
      places: 'paths and hosts, as far as they are known',
      programs:
        'the code that files in `knowledge/` name with `run`, by family, and how their effects are carried out',
      tools: 'what many programs share: interpreters, SQL, sockets, service verbs',
      wrappers: 'what programs find, list, mount or print for the commands that they run',
      traits:
        'what the file of a program says beside its effects: that it previews, builds, uploads, prints secrets, changes nothing',
      reading: 'the judgement whether a command only reads; `rules/calm` asks it for a whole call',
      disposable: 'whether a deleted resource is disposable',
      'live-systems': 'whether production or another machine is changed',
      code: 'programs written out in other languages',
      powershell: 'the same for PowerShell',
    },
  },
  cli: {
    beside:
      '`main.ts` starts `dispatch.ts`, which finds a command in `commands.ts` and loads only that one. `command.ts` is what a command is. A command is in the file of its name: `rules/rules.ts`, `history/export.ts`.',
    rooms: {
      setup: 'setup, remove, welcome, completions',
      daemon: 'the daemon and what shows it: up, down, status, open, watch',
      agents: 'which agents there are on this machine, and what each supports',
      approvals: 'who answers and how: approvals, grants, away, notify, unlock, script keys',
      phone: 'devices, and opening the dashboard to them',
      history: 'the record: events, sessions, search, stats, export, share, verify',
      rules: 'rules, try, backtest, trust',
      hooks: 'hooks, import, lint',
      exec: 'an agent that is run by Hookline: exec, record, and the commands of agents',
      fleet: 'the parts of `hookline fleet`',
      doctor: '`doctor`, with one file for each check in `checks`',
      mcp: 'the history as tools for agents',
      demo: '`demo`, and the calls that it plays',
      output: 'what several commands print: lines, tables, differences, progress',
    },
  },
  daemon: {
    beside:
      '`run-daemon.ts` opens a home and starts everything, and `call-handler.ts` answers calls of all transports. `http.ts` listens for browsers and hooks, `http-app.ts` has the routes, `api-socket.ts` serves the same API to the command line.',
    rooms: {
      socket: 'request lines: read, held back, answered in batches',
      http: 'what all requests share: who asks, bodies, tokens, and answers without secrets',
      api: 'what the command line asks for',
      web: 'the dashboard, and what it reads',
      phone: 'all of the phone: certificates, QR codes, pairing, devices, and the listener for them',
      watch: 'files that change under a daemon, and old records that go',
    },
  },
  fleet: {
    beside:
      '`fleet.ts` joins and leaves with the parts that `part.ts` describes, and `settings.ts` is what a machine knows of its fleet. A fleet is given what it needs of a home as plain values, because the home itself imports `policy`.',
    rooms: {
      server: 'the connection to NATS, its streams and buckets',
      record: 'events on their way to the server, and read back from there',
      policy: 'rules that an administrator signs: the document, publishing, receiving, and what is active',
      approvals: 'approvals that are answered on another machine',
      machines: 'what machines say of themselves, and the view of all of them',
      archive: 'the record in PostgreSQL: stored once, searched, checked',
    },
  },
  store: {
    beside:
      '`guarded-store.ts` opens the history, notices damage and replaces a database that was lost. `forget.ts` deletes.',
    rooms: {
      database: 'drivers, migrations, the schema, durability',
      record: 'writing: calls in batches, sessions, approvals',
      read: 'queries, conditions, and a stored event in each of its forms',
      chain: 'the chain of records: made, signed, read, verified',
      repair: 'what is done about a database that is damaged, replaced or gone',
    },
  },
  history: {
    beside:
      '`stats.ts`, `spans.ts` and `audit.ts` each answer one question. `observing.ts` makes observations, and turns of them, when no call is waiting.',
    rooms: {
      observations: 'what can be learned from calls and transcripts',
      search: 'turns as they are indexed, found and ranked',
      calls: 'events as calls: their words, outcome and rows',
      sessions: 'what is going on in sessions, and their story',
      memory: 'what a new session is told: notes, outcomes, decisions, open ends',
      replay: 'recorded calls under other rules: backtests, learned rules, reports',
      share: 'a session as one HTML file',
    },
  },
  home: {
    beside:
      '`paths.ts` says where things are, `config.ts` reads the settings, and `open.ts` and `engine.ts` put all parts together.',
    rooms: {
      confirmed: 'what a person has agreed to of settings and rules',
      daemon: 'which process has a home: lock, start mark, address',
      intake: 'calls that arrive differently: the spool, large calls',
    },
  },
  hooks: {
    beside: '`registry.ts` finds hooks and `ask.ts` asks one.',
    rooms: {
      code: 'hooks in TypeScript, in a thread of their own',
      prompts: 'hooks that ask a model',
    },
  },
  live: {
    beside:
      '`index.ts` is `hookline/testing`, `scene.ts` is Hookline in a sandbox, and `play-turns.ts` plays a client in it.',
    rooms: {
      checks: 'what every client is checked for',
      hook: 'a test of a hook, without a client',
    },
  },
  sandbox: {
    beside: '`sandbox.ts` makes the folders and the environment of a scratch machine.',
    rooms: {
      models: 'scripted models on loopback, one for each wire format',
    },
  },
  model: {
    beside:
      '`events.ts` and `responses.ts` are the two sides of a call, and `merge.ts` makes one response of several.',
    rooms: {
      people: 'who may decide, and whether anyone is there',
    },
  },
};

const rowsOf = (sentences: Readonly<Record<string, string>>) =>
  Object.entries(sentences).map(([name, sentence]) => `| \`${name}\` | ${sentence} |`);

const roomsOf = ([folder, { beside, rooms }]: [string, Rooms]) => `### ${folder}

${beside}

${['| in it | what it is |', '|---|---|', ...rowsOf(rooms)].join('\n')}
`;

/** @param edges which folder imports from which, as lines of a Mermaid graph */
export const foldersPage = (
  edges: readonly string[],
): string => `<!-- Generated. Run \`npx vitest run test/layering.test.ts -u\` instead of editing it. -->

# Folders

The folders of \`src\`, in the order of a call.

${['| folder | what it is |', '|---|---|', ...rowsOf(FOLDERS)].join('\n')}

## Imports

An arrow means "imports from"; an arrow that follows from others is left out. A cycle fails the test.

${['```mermaid', 'graph TD', ...edges, '```'].join('\n')}

## Rooms

Folders inside of a folder are its rooms, named by what they do. Rooms of one folder never import each other in a cycle, except
\`programs\`, \`tools\` and \`code\` of shell: a program hands lines to code, and code runs lines.

${Object.entries(ROOMS).map(roomsOf).join('\n')}`;

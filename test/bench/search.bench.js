// A store of a million events: how fast it takes in calls when it is empty and when it is full, how fast a search is
// answered then, and how much room an event takes. Most of the million are copies of the first ones under other names:
// what is measured is calls into that store. HOOKLINE_BENCH_EVENTS makes it another number.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { median, percentile, ratioAtLeast, valueAtMost } from './figures.js';
import { askInTurn, openScratchHome, root } from './scratch-home.js';

const EVENTS = Number(process.env.HOOKLINE_BENCH_EVENTS ?? 1_000_000);
const BATCH = 4_000;
const BATCHES = 5;
const CONNECTIONS = 8;
const QUERIES = [
  'payment',
  'auth bug',
  'deploy failed',
  '"retry queue"',
  'cart total',
  'module17',
  'invoice*',
  'timeout',
];
const ROUNDS = 10;

export async function run() {
  const home = openScratchHome();
  try {
    const socket = home.daemon.socket;
    await ingest(socket, 2_000, 'warm');
    const empty = await rate(socket, 'empty');
    home.hookline('down');
    const events = multiply(join(home.home, 'hookline.db'), EVENTS);
    home.hookline('up');
    home.daemon = JSON.parse(home.hookline('status', '--json')).daemon;
    const observing = Date.now();
    while (!JSON.parse(await post(home, '/api/observe')).done);
    const observed = events / ((Date.now() - observing) / 1000);
    const full = await rate(home.daemon.socket, 'full');
    while (!JSON.parse(await post(home, '/api/observe')).done);
    const times = await searches(home);
    home.hookline('down');
    const { size } = statSync(join(home.home, 'hookline.db'));
    return figuresOf({ events, empty, full, observed, times, size });
  } finally {
    home.close();
  }
}

function figuresOf({ events, empty, full, observed, times, size }) {
  const sorted = [...times].sort((a, b) => a - b);
  const unit = 'a second';
  return [
    { name: 'calls into an empty store', value: empty, unit },
    {
      name: `calls into a store of ${events}`,
      value: full,
      unit,
      ratio: full / empty,
      to: 'an empty store',
      target: ratioAtLeast(0.8),
    },
    { name: 'events observed afterwards', value: observed, unit },
    { name: `search, median of ${times.length}`, value: median(times), unit: 'ms', target: valueAtMost(100) },
    { name: 'search, 95 %', value: percentile(sorted, 0.95), unit: 'ms' },
    {
      name: 'room an event, observations and index included',
      value: size / (events + BATCH * BATCHES),
      unit: 'bytes',
    },
  ];
}

/** The median of some batches: the machine does other things too. */
async function rate(socket, lane) {
  const rates = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const start = process.hrtime.bigint();
    await ingest(socket, BATCH, `${lane}${batch}`);
    rates.push(BATCH / (Number(process.hrtime.bigint() - start) / 1e9));
  }
  return median(rates);
}

/** Copies what is there, whole, until there are so many. Gives how many there are. */
function multiply(path, wanted) {
  const Database = createRequire(import.meta.url)('libsql');
  const db = new Database(path);
  const columns = db
    .prepare("SELECT name FROM pragma_table_info('events') WHERE name <> 'row'")
    .all()
    .map(({ name }) => name);
  const copied = columns.map((name) => {
    if (name === 'id') return '? || id';
    if (name === 'session_id') return '? || session_id';
    return name === 'event' ? `replace(event, '"sessionId":"', '"sessionId":"' || ?)` : name;
  });
  const { events, last } = db.prepare('SELECT count(*) AS events, max(row) AS last FROM events').get();
  const insert = db.prepare(
    `INSERT INTO events (${columns.join(', ')}) SELECT ${copied.join(', ')} FROM events WHERE row <= ${last}`,
  );
  const sessions = db.prepare(
    `INSERT INTO sessions SELECT source, ? || session_id, sequence, prompt_number, tool_number, started_at, last_at, ended_at, cwd, project_id
     FROM sessions WHERE session_id NOT LIKE 'copy%'`,
  );
  let total = events;
  for (let copy = 1; total + events <= wanted; copy++) {
    const name = `copy${copy}-`;
    insert.run([name, name, name]);
    sessions.run([name]);
    total += events;
  }
  db.close();
  return total;
}

async function post(home, path) {
  const answer = await fetch(`${home.daemon.http}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${home.token}` },
  });
  return answer.text();
}

/** As an agent asks: through the MCP server, each answer from question to text. */
async function searches(home) {
  const client = new Client({ name: 'bench', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'bin/hookline.js'), 'mcp'],
    env: home.env,
  });
  await client.connect(transport);
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of QUERIES) {
      const start = performance.now();
      const { content } = await client.callTool({ name: 'search', arguments: { query } });
      times.push(performance.now() - start);
      if (!content?.[0]?.text?.includes('"session"')) throw new Error(`nothing found for ${query}`);
    }
  }
  await client.close();
  return times;
}

const WORDS =
  'auth bug payment deploy failed retry queue cart total invoice timeout login session cache worker index schema migrate render button modal table export import parser lexer token stream buffer socket proxy header cookie route handler request response'.split(
    ' ',
  );

/** Turns of eight events, in sessions of fifty turns; words by a fixed dice. */
async function ingest(socket, count, name) {
  await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, at) => drive(socket, `${name}-${at}`, count / CONNECTIONS)),
  );
}

function drive(path, lane, count) {
  let dice = lane.length * 7919 + lane.charCodeAt(lane.length - 1);
  const roll = (n) => {
    dice = (Math.imul(dice, 1103515245) + 12345) & 0x7fffffff;
    return (dice >>> 8) % n;
  };
  const word = () => WORDS[roll(WORDS.length)];
  return askInTurn(path, lane, count, (sent) => ({
    agent: 'claude',
    payload: payloadOf(lane, sent - 1, roll, word),
  }));
}

function payloadOf(lane, sent, roll, word) {
  const turn = Math.floor(sent / 8);
  const base = {
    session_id: `session-${lane}-${Math.floor(turn / 50)}`,
    transcript_path: '',
    cwd: '/home/dev/shop',
    permission_mode: 'default',
  };
  const useId = `toolu_${lane}_${Math.floor(sent / 2)}`;
  const bash = {
    tool_name: 'Bash',
    tool_input: { command: `npm run ${word()} -- ${word()} ${sent}`, description: `Look at the ${word()}` },
  };
  const path = `/home/dev/shop/src/module${roll(40)}/${word()}-${word()}.ts`;
  const edit = {
    tool_name: 'Edit',
    tool_input: {
      file_path: path,
      old_string: `${word()} ${word()}`,
      new_string: `${word()} ${word()} ${word()}`,
    },
  };
  switch (sent % 8) {
    case 0:
      return {
        ...base,
        hook_event_name: 'UserPromptSubmit',
        prompt: `Please fix the ${word()} ${word()} in the ${word()} ${word()} of module${roll(40)}`,
      };
    case 1:
    case 5:
      return { ...base, hook_event_name: 'PreToolUse', ...bash, tool_use_id: useId };
    case 2:
      return {
        ...base,
        hook_event_name: 'PostToolUse',
        ...bash,
        tool_response: { stdout: `${word()} ${word()} done`, stderr: '' },
        tool_use_id: useId,
      };
    case 3:
      return { ...base, hook_event_name: 'PreToolUse', ...edit, tool_use_id: useId };
    case 4:
      return {
        ...base,
        hook_event_name: 'PostToolUse',
        ...edit,
        tool_response: { structuredPatch: [] },
        tool_use_id: useId,
      };
    case 6:
      return {
        ...base,
        hook_event_name: 'PostToolUseFailure',
        ...bash,
        error: `Exit code 1\n${word()} ${word()} not found in ${word()}`,
        tool_use_id: useId,
      };
    default:
      return {
        ...base,
        hook_event_name: 'Stop',
        stop_hook_active: false,
        last_assistant_message: `The ${word()} ${word()} was the cause of the ${word()} ${word()}; I changed ${path}.`,
      };
  }
}

import { homedir } from 'node:os';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { AGENTS } from '../agents/_registry.ts';
import type { Agent } from '../agents/agent.ts';
import { handle } from '../engine/handle.ts';
import { createEngine } from '../home/engine.ts';
import { knownIdentity } from '../home/identity.ts';
import type { Call } from '../model/native.ts';
import { redact } from '../redact/redact.ts';
import type { Database } from '../store/database/driver.ts';
import { openScratchStore } from '../store/database/open.ts';
import { createRecorder } from '../store/record/recorder.ts';
import { answersProbe } from '../wire/ask-probe.ts';
import { parseRequest } from '../wire/protocol.ts';
import { newRequestId, requestLine } from '../wire/request.ts';
import type { Daemon } from './run-daemon.ts';

/** Node optimizes a function after some hundred calls. */
const ROUNDS = 600;
/** More would be noticeable on a slow machine. */
const MOST_PROCESSOR_MS = 2_000;
/** Number of calls per probe. */
const CALLS_A_PROBE = 2;
/** Their agents are likely to call next. */
const LAST_SESSIONS = 20;

const CALLS = [
  { tool: 'Bash', input: { command: 'git status --short && ls -la src | head -20' } },
  { tool: 'Read', input: { file_path: 'src/index.ts' } },
  { tool: 'Bash', input: { command: 'npm test -- --run src/cart', description: 'Run the tests' } },
  { tool: 'Edit', input: { file_path: 'src/index.ts', old_string: 'a', new_string: 'b' } },
];

/**
 * Evaluates made-up calls, so that the first real one doesn't wait for rules to be indexed and code to be compiled.
 * They are stored in memory only, run no hook and create no approval. A real call waits for at most one of them.
 * Resolves to their number.
 */
export async function warmUp({ home, info, stopped }: Daemon, rounds: number = ROUNDS): Promise<number> {
  const store = openScratchStore();
  let ended = false;
  void stopped.then(() => {
    ended = true;
  });
  try {
    const recorder = createRecorder(store, { redact, signer: home.signer });
    const engine = createEngine({
      ...{ paths: home.paths, config: home.config, rules: home.rules },
      identity: knownIdentity(home.paths),
      recorder: { ...recorder, commit: recorder.commitSoon },
    });
    const agents = lastAgents(home.db);
    const start = process.cpuUsage();
    let round = 0;
    for (; round < rounds && !ended && used(start) < MOST_PROCESSOR_MS; round += 1) {
      const request = requestOf(agents[round % agents.length], round, homedir());
      if (request) JSON.stringify((await handle(request, engine)).answer);
      // Only probes go over the socket: anything else would be recorded.
      if (round % CALLS_A_PROBE === 0) await answersProbe(info.socket);
      await letOthersRun();
    }
    return round;
  } finally {
    store.close();
  }
}

function used(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Code that sees fewer kinds of calls is faster, so this uses the agents that are likely to call. */
function lastAgents(db: Database): readonly Agent[] {
  const rows = db.prepare('SELECT source FROM sessions ORDER BY last_at DESC LIMIT ?').all(LAST_SESSIONS);
  const known = rows.flatMap(({ source }) => AGENTS.get(String(source)) ?? []);
  return known.length > 0 ? [...new Set(known)] : [...AGENTS.values()].slice(0, 1);
}

/** Parsed from a line, like real calls. */
function requestOf(agent: Agent | undefined, round: number, cwd: string): Call | null {
  const call = CALLS[round % CALLS.length];
  if (!agent || !call) return null;
  const id = newRequestId(Date.now());
  const bytes = Buffer.from(JSON.stringify(agent.toolPayload({ id, ...call, cwd })));
  const stdin = { bytes, total: bytes.length };
  const line = requestLine({ id, ts: Date.now(), agent: agent.id, event: null, env: {}, stdin });
  const parsed = parseRequest(line.toString('utf8'));
  return parsed.ok ? { ...parsed.request.call, agent: agent.id } : null;
}

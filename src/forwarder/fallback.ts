import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '../agents/_registry.ts';
import { handle } from '../engine/handle.ts';
import { readConfigOrStrictest } from '../home/config.ts';
import { createEngine, openHomeRules } from '../home/engine.ts';
import { keepFailureMode } from '../home/failure-mode.ts';
import { requireOwnHome } from '../home/ownership.ts';
import { type HomePaths, homePaths } from '../home/paths.ts';
import { createSpoolRecorder } from '../home/spool.ts';
import { spawnDaemon } from '../home/start-daemon.ts';
import { openHooks } from '../hooks/registry.ts';
import type { NativeAnswer } from '../model/native.ts';
import type { Recorder } from '../model/recording.ts';
import { VERSION } from '../version.ts';
import { classify, describeProblem } from '../wire/payload.ts';
import { isProbe, probeAnswer } from '../wire/probe.ts';

/** A call that no daemon answered. */
export interface FallbackCall {
  readonly home: string;
  readonly requestId: string;
  readonly agent: string;
  readonly event: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  readonly ts: number;
}

/**
 * Evaluates the call in this process by the same rules, records it in the spool, and starts a daemon for the next one.
 * `hold` is called with how long it takes, where that is long.
 */
export async function fallback(
  call: FallbackCall,
  hold: (ms: number) => void = () => {},
): Promise<NativeAnswer> {
  const paths = homePaths(call.home);
  // What is read there decides, and hooks there run as the user: in a home that others can write, nothing is obeyed.
  requireOwnHome(paths);
  const config = readConfigOrStrictest(paths.config);
  const engine = createEngine({
    paths,
    config,
    rules: openHomeRules(paths, config),
    recorder: keepingGuards(createSpoolRecorder(paths.spool)),
    // Guards that are hooks outlive the daemon as well.
    hooks: openHooks(paths, AGENTS),
  });
  if (isProbe(call)) {
    return probeAnswer({ by: 'fallback', pid: process.pid, version: VERSION, home: paths.root });
  }
  const { payload, problem } = classify(call.stdin);
  const { answer, appends } = await handle(
    {
      id: call.requestId,
      receivedAt: call.ts,
      agent: call.agent,
      event: call.event,
      env: call.env,
      payload,
      problem: problem && describeProblem(problem, call.stdin.length),
      hold,
    },
    engine,
  );
  // The verdict stands: nothing that goes wrong after it may cost the agent the answer.
  for (const { path, text } of appends) attempt(() => appendFileSync(path, text));
  attempt(() => keepFailureMode(paths, config.failure));
  if (process.env.HOOKLINE_NO_AUTOSTART !== '1') attempt(() => startDaemon(paths));
  return answer;
}

/** A full disk must not disable a guard: a denial stands without a record, an allow does not. */
function keepingGuards(recorder: Recorder): Recorder {
  return {
    ...recorder,
    commit(record) {
      try {
        return recorder.commit(record);
      } catch (error) {
        const { decision, halt } = record.response;
        if (decision !== 'deny' && decision !== 'ask' && halt === undefined) throw error;
        return false;
      }
    },
  };
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // The next call tries again, and `hookline doctor` says what is wrong with the home.
  }
}

const START_EVERY_MS = 5_000;

/** Starts a daemon and does not wait. Many hooks may fall back at once; the lock lets one daemon win. */
function startDaemon(paths: HomePaths): void {
  const mark = join(paths.run, 'starting');
  const last = statSync(mark, { throwIfNoEntry: false });
  if (last && Date.now() - last.mtimeMs < START_EVERY_MS) return;
  mkdirSync(paths.run, { recursive: true, mode: 0o700 });
  writeFileSync(mark, '');
  spawnDaemon(paths);
}

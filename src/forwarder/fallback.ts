import { AGENTS } from '../agents/_registry.ts';
import { handle } from '../engine/handle.ts';
import { openConfirmed } from '../home/confirmed/confirmed.ts';
import { configInForceOrStrictest } from '../home/confirmed/in-force.ts';
import { claimStart } from '../home/daemon/start-mark.ts';
import { createEngine, openHomeRules } from '../home/engine.ts';
import { keepFailureMode } from '../home/failure-mode.ts';
import { createSpoolRecorder } from '../home/intake/spool.ts';
import { requireOwnHome } from '../home/ownership.ts';
import { homePaths } from '../home/paths.ts';
import { openHooks } from '../hooks/registry.ts';
import type { NativeAnswer } from '../model/native.ts';
import type { Recorder } from '../model/recording.ts';
import { isRefusal } from '../model/responses.ts';
import { appendRegularFile } from '../platform/bounded-files.ts';
import { VERSION } from '../version.ts';
import { classify, describeProblem } from '../wire/payload.ts';
import { isProbe, probeAnswer } from '../wire/probe.ts';
import { startDaemon } from './start.ts';

/** A call that no daemon answered. */
export interface FallbackCall {
  readonly home: string;
  readonly requestId: string;
  readonly agent: string;
  readonly event: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  readonly ts: number;
  /** Leave the start of a daemon to another process. */
  readonly isStarted?: boolean;
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
  const confirmed = openConfirmed(paths);
  const config = configInForceOrStrictest(paths, confirmed);
  const engine = createEngine({
    paths,
    config,
    rules: openHomeRules(paths, config, {}, confirmed),
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
  for (const { path, text } of appends) attempt(() => appendRegularFile(path, text));
  attempt(() => keepFailureMode(paths, config.failure));
  // Where one hangs, the one that is started replaces it.
  if (!call.isStarted)
    attempt(() => {
      if (claimStart(paths).by === 'us') startDaemon(paths);
    });
  return answer;
}

/** A full disk must not disable a guard: a refusal stands without a record, an allow does not. */
function keepingGuards(recorder: Recorder): Recorder {
  return {
    ...recorder,
    commit(record) {
      try {
        return recorder.commit(record);
      } catch (error) {
        if (!isRefusal(record.response)) throw error;
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

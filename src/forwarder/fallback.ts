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
  /** Another process starts the daemon. */
  readonly isStarted?: boolean;
}

/**
 * Evaluates the call in this process by the same rules, records it in the spool, and starts a daemon for the next
 * one. Calls `hold` with the expected time if it takes long.
 */
export async function fallback(
  call: FallbackCall,
  hold: (ms: number) => void = () => {},
): Promise<NativeAnswer> {
  const paths = homePaths(call.home);
  // Files there decide, and hooks there run as the user, so nothing is used from a home that others can write to.
  requireOwnHome(paths);
  const confirmed = openConfirmed(paths);
  const config = configInForceOrStrictest(paths, confirmed);
  const engine = createEngine({
    paths,
    config,
    rules: openHomeRules(paths, config, {}, confirmed),
    recorder: keepingGuards(createSpoolRecorder(paths.spool)),
    // Hooks that guard work without the daemon too.
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
  // The decision is final: a later error must not cost the agent the answer.
  for (const { path, text } of appends) attempt(() => appendRegularFile(path, text));
  attempt(() => keepFailureMode(paths, config.failure));
  // Replaces a hanging daemon.
  if (!call.isStarted)
    attempt(() => {
      if (claimStart(paths).by === 'us') startDaemon(paths);
    });
  return answer;
}

/** A full disk must not disable a rule: a denial stands without a record, an allow doesn't. */
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
    // The next call retries, and `hookline doctor` reports what is wrong with the home.
  }
}

import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '../agents/_registry.ts';
import type { NativeAnswer } from '../agents/agent.ts';
import { spawnDaemon } from '../client/start.ts';
import { createEngine, openHomeRules } from '../engine/create.ts';
import { handle } from '../engine/handle.ts';
import type { Recorder } from '../engine/record.ts';
import { readConfigOrStrictest } from '../home/config.ts';
import { type HomePaths, homePaths } from '../home/paths.ts';
import { openHooks } from '../hooks/book.ts';
import { classify, describeProblem } from './payload.ts';
import { createSpoolRecorder } from './spool.ts';

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

/** Judges the call in this process by the same rules, leaves it in the spool, and sees to a daemon for the next. */
export async function fallback(call: FallbackCall): Promise<NativeAnswer> {
  const paths = homePaths(call.home);
  const config = readConfigOrStrictest(paths.config);
  const engine = createEngine({
    paths,
    config,
    rules: openHomeRules(paths, config),
    recorder: keepingGuards(createSpoolRecorder(paths.spool)),
    // Guards that are hooks outlive the daemon as well.
    hooks: openHooks(paths, AGENTS),
  });
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
    },
    engine,
  );
  // The verdict stands: nothing that goes wrong after it may cost the agent the answer.
  for (const { path, text } of appends) attempt(() => appendFileSync(path, text));
  if (process.env.HOOKLINE_NO_AUTOSTART !== '1') attempt(() => startDaemon(paths));
  return answer;
}

/** A full disk must not lift a guard: what forbids holds without a record, what allows does not. */
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

import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Daemon, runDaemon } from '../../daemon/run-daemon.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import { deliveredDecision } from '../../model/delivered.ts';
import type { HookResponse } from '../../model/responses.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { findEvent } from '../../store/read/queries.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import { readRecordings } from './recording.ts';
import { replay } from './replay.ts';

export interface Demo {
  readonly paths: HomePaths;
  readonly daemon: Daemon;
  /** Plays all sessions at the same time. Resolves when the last has ended, or when the signal aborts. */
  play(signal: AbortSignal): Promise<void>;
  /** Call this after the signal or the last session: it stops the daemon and removes all files. */
  close(): Promise<void>;
}

const RULES = `rules:
  - id: new-dependency
    command: npm install
    ask: A new dependency. Is this one wanted?
  - id: commit-message
    command: git commit
    context: Commit messages of this project are one line in the imperative.
`;

/** First-time users need a while; a demo without answers continues by itself. */
const WAIT_SECONDS = 120;

// The demo's project is in the temporary directory, wherever that is. Editing it is not a change of the system.
const config = (hold: Hold) => `http: {port: 0}
approvals: {hold: ${hold}, waitSeconds: ${WAIT_SECONDS}}
disabledRules: [filesystem/write-system]
`;

/** Keeps approvals pending always, or only while the dashboard or a terminal UI is open. */
type Hold = 'always' | 'surface';

/** A temporary home with its own daemon. None of the user's files are read or written. */
export async function openDemo(speed: number, hold: Hold): Promise<Demo> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-demo-')));
  const paths = homePaths(join(folder, 'home'));
  const project = join(folder, 'shop');
  try {
    mkdirSync(project);
    makeFolder(paths.rules);
    writeFileSync(paths.config, config(hold));
    writeFileSync(join(paths.rules, 'demo.yaml'), RULES);
    const daemon = await runDaemon(paths);
    let playing = Promise.resolve();
    return {
      paths,
      daemon,
      play(signal) {
        const recordings = readRecordings(() => ({
          SESSION: randomUUID(),
          PROJECT: project,
          HOME: folder,
          NOW: new Date().toISOString(),
        }));
        const decided = (id: string) => toldIn(findEvent(daemon.home.db, id));
        const plays = recordings.map((one) => replay(one, { hub: daemon.hub, decided, speed, signal }));
        playing = Promise.all(plays).then(() => {});
        return playing;
      },
      async close() {
        const { queue } = daemon.hub.approvals;
        const giveUp = () => queue.withdraw(() => true, 'the demo has ended');
        queue.subscribe(({ state }) => {
          if (state === 'pending') setImmediate(giveUp);
        });
        giveUp();
        // Running calls still write to the home.
        await playing;
        await daemon.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** An agent that can't ask gets a denial and doesn't run the call either. */
function toldIn(event: StoredEvent | null): HookResponse | null {
  return (
    event && { ...event.response, decision: deliveredDecision(event.type, event.response, event.degraded) }
  );
}

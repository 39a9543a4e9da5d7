import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Daemon, runDaemon } from '../daemon/run.ts';
import { type HomePaths, homePaths } from '../home/paths.ts';
import { findEvent } from '../store/queries.ts';
import { readRecordings } from './recording.ts';
import { replay } from './replay.ts';

export interface Demo {
  readonly paths: HomePaths;
  readonly daemon: Daemon;
  /** Plays all sessions at once; resolves when the last has ended, or the signal says so. */
  play(signal: AbortSignal): Promise<void>;
  /** To be called when the signal was given or the sessions are over: stops the daemon and removes everything. */
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

/** People who look for the first time need their time; a demo that nobody answers goes on by itself. */
const WAIT_SECONDS = 120;

/** A throw-away home with a daemon of its own: nothing of the user's is read or written. */
export async function openDemo(speed: number): Promise<Demo> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-demo-')));
  const paths = homePaths(join(folder, 'home'));
  const project = join(folder, 'shop');
  try {
    mkdirSync(project);
    mkdirSync(paths.rules, { recursive: true });
    writeFileSync(paths.config, `http: {port: 0}\napprovals: {hold: always, waitSeconds: ${WAIT_SECONDS}}\n`);
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
        const decided = (id: string) => findEvent(daemon.home.db, id)?.response ?? null;
        const plays = recordings.map((one) => replay(one, { hub: daemon.hub, decided, speed, signal }));
        playing = Promise.all(plays).then(() => {});
        return playing;
      },
      async close() {
        const { desk } = daemon.hub.people;
        const giveUp = () => desk.withdraw(() => true, 'the demo is over');
        desk.subscribe(({ state }) => {
          if (state === 'pending') setImmediate(giveUp);
        });
        giveUp();
        // Calls under way still write to the home.
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

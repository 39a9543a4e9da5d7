import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { parse } from 'yaml';
import { connect } from '../client/client.ts';
import { readHistory } from '../client/history.ts';
import { isLocked } from '../home/daemon/lock.ts';
import { lockHolder } from '../home/daemon/lock-holder.ts';
import { type HomePaths, homePaths } from '../home/paths.ts';
import { kill } from '../platform/processes.ts';
import { describeFinished, type Finished } from '../sandbox/process.ts';
import type { Sandbox, SandboxRun } from '../sandbox/sandbox.ts';
import { toPublicEvent } from '../store/read/public-event.ts';
import { listEvents } from '../store/read/queries.ts';
import { isOfOthers, scriptIn } from './as-script.ts';
import { type RecordedEvent, readEventLine } from './recorded-event.ts';

/** The program that this is a part of: two folders up from here, and one from where it is built. */
function ownProgram(): string {
  const source = new URL('../../bin/hookline.js', import.meta.url);
  return fileURLToPath(
    existsSync(source) ? source : new URL('./bin/hookline.js', new URL('..', import.meta.url)),
  );
}

/** The command line of the product, in a sandbox. */
export interface Hookline {
  /** Runs a command that has to succeed. */
  run(args: readonly string[], options?: SandboxRun): Promise<Finished>;
  /** Replaces the rule file. */
  writeRules(yaml: string): Promise<void>;
  /** Adds to the settings. */
  writeConfig(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** The lines of `hookline events --json`, read without the command. */
  events(): Promise<readonly RecordedEvent[]>;
  daemonPid(): Promise<number | null>;
  /** Ends the daemon at once, also one that hangs: for a sandbox that goes away with all that it has to write. */
  end(): Promise<void>;
}

export function hooklineIn(sandbox: Sandbox, env: Readonly<Record<string, string>>): Hookline {
  const paths = homePaths(sandbox.hooklineHome);
  const script = scriptIn(paths);
  const run: Hookline['run'] = async (given, options = {}) => {
    const { args, env: key } = script.call(given);
    const finished = await sandbox.run(process.execPath, [ownProgram(), ...args], {
      ...options,
      env: { ...env, ...key, ...options.env },
    });
    if (finished.code !== 0) throw new Error(`hookline ${args.join(' ')}: ${describeFinished(finished)}`);
    return finished;
  };
  return {
    run,
    writeRules: async (yaml) => {
      const folder = join(sandbox.hooklineHome, 'rules');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'rules.yaml'), yaml);
    },
    writeConfig: async (settings) => {
      const file = join(sandbox.hooklineHome, 'config.yaml');
      const own = v.parse(v.record(v.string(), v.unknown()), parse(await readFile(file, 'utf8')));
      await writeFile(file, JSON.stringify({ ...own, ...settings }));
    },
    events: async () => {
      const lines = await readHistory(paths, (db) =>
        listEvents(db).map((event) => JSON.stringify(toPublicEvent(event))),
      );
      return lines.map(readEventLine).filter(isOfOthers);
    },
    daemonPid: async () => (await connect(paths))?.info.pid ?? null,
    end: async () => {
      if (!(await isEnded(paths))) await run(['down'], { cleanup: true });
    },
  };
}

/** False where a daemon runs and cannot be seen. */
async function isEnded(paths: HomePaths): Promise<boolean> {
  const isHeld = () => existsSync(paths.lock) && isLocked(paths.lock);
  if (!isHeld()) return true;
  // Elsewhere it is the process that a file names, which may be another one by now.
  const pid = process.platform === 'linux' ? lockHolder(paths) : null;
  if (pid === null) return false;
  kill(pid);
  while (isHeld() && lockHolder(paths) === pid) await pause(5);
  return !isHeld();
}

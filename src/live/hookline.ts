import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { parse } from 'yaml';
import { describeFinished, type Finished } from '../sandbox/process.ts';
import type { Sandbox, SandboxRun } from '../sandbox/sandbox.ts';
import { isOfOthers, scriptIn } from './as-script.ts';
import { type RecordedEvent, readEventLine } from './recorded-event.ts';

/** The program that this is a part of: two folders up from here, and one from where it is built. */
function ownProgram(): string {
  const source = new URL('../../bin/hookline.js', import.meta.url);
  return fileURLToPath(
    existsSync(source) ? source : new URL('./bin/hookline.js', new URL('..', import.meta.url)),
  );
}

const Status = v.looseObject({ daemon: v.nullable(v.looseObject({ pid: v.number() })) });

/** The command line of the product, in a sandbox. */
export interface Hookline {
  /** Runs a command that has to succeed. */
  run(args: readonly string[], options?: SandboxRun): Promise<Finished>;
  /** Replaces the rule file. */
  writeRules(yaml: string): Promise<void>;
  /** Adds to the settings. */
  writeConfig(settings: Readonly<Record<string, unknown>>): Promise<void>;
  events(): Promise<readonly RecordedEvent[]>;
  daemonPid(): Promise<number | null>;
}

export function hooklineIn(sandbox: Sandbox, env: Readonly<Record<string, string>>): Hookline {
  const script = scriptIn(sandbox.hooklineHome);
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
      const { stdout } = await run(['events', '--json']);
      return lines(stdout).map(readEventLine).filter(isOfOthers);
    },
    daemonPid: async () => {
      const { stdout } = await run(['status', '--json']);
      return v.parse(Status, JSON.parse(stdout)).daemon?.pid ?? null;
    },
  };
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

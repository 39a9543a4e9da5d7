import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from '../agents/setup.ts';
import { type ForwarderSettings, forwarderSettingsFile, readForwarderSettings } from './home.ts';

export interface ForwarderSource {
  /** The folder with `forward.js` and, where it could be built, `bin/hookline-forward`. */
  readonly distDir: string;
  readonly nodePath: string;
  /** Variables the forwarder sends along. */
  readonly envAllowList: readonly string[];
}

export type ForwarderKind = 'native' | 'node';

export interface InstalledForwarder {
  readonly path: string;
  readonly kind: ForwarderKind;
  readonly changed: boolean;
}

interface PlannedFile {
  readonly path: string;
  readonly content: Buffer;
  readonly mode: number;
}

interface Plan {
  readonly kind: ForwarderKind;
  readonly program: PlannedFile;
  readonly settings: PlannedFile;
}

/** The one path that agents' settings name; it stays the same for ever, since some agents ask for trust again. */
export function forwarderPath(home: string): string {
  return join(home, 'bin', 'hookline-forward');
}

/** Puts the best forwarder that runs on this machine into the home. */
export function installForwarder(home: string, source: ForwarderSource): InstalledForwarder {
  const { kind, program, settings } = plan(home, source);
  mkdirSync(dirname(program.path), { recursive: true, mode: 0o700 });
  // Settings first: a forwarder without them would not know its home.
  const changed = [settings, program].map(putInPlace).includes(true);
  return { path: program.path, kind, changed };
}

/** What is wrong with the forwarder in the home, for `doctor`. */
export function inspectForwarder(home: string, source: ForwarderSource): Finding {
  const { kind, program, settings } = plan(home, source);
  const finding = (code: string, message: string): Finding => ({
    level: 'problem',
    code,
    message,
    fix: 'Run `hookline setup` again.',
  });
  if (!existsSync(program.path)) {
    return finding('forwarder-missing', `There is no forwarder at ${program.path}.`);
  }
  const found = readForwarderSettings(home);
  if (!found) {
    return finding('forwarder-settings', `${settings.path} is missing or broken: calls get no fallback.`);
  }
  const gone = [found.node, found.script].find((path) => !existsSync(path));
  if (gone !== undefined) {
    return finding('forwarder-fallback', `${gone} is gone: calls get no fallback when the daemon is down.`);
  }
  if (!isInPlace(program) || !isInPlace(settings)) {
    const message = `${program.path} is not the one that this version of Hookline installs.`;
    return { ...finding('forwarder-stale', message), level: 'warning' };
  }
  const name = kind === 'native' ? 'native' : 'JavaScript';
  return { level: 'ok', code: 'forwarder', message: `The ${name} forwarder is installed.`, fix: null };
}

function plan(home: string, source: ForwarderSource): Plan {
  const settings: ForwarderSettings = {
    node: source.nodePath,
    script: join(source.distDir, 'forward.js'),
    env: source.envAllowList,
  };
  const native = join(source.distDir, 'bin', 'hookline-forward');
  const kind = runsHere(native) ? 'native' : 'node';
  return {
    kind,
    program: {
      path: forwarderPath(home),
      content: kind === 'native' ? readFileSync(native) : Buffer.from(wrapper(home, settings)),
      mode: 0o755,
    },
    settings: {
      path: forwarderSettingsFile(home),
      content: Buffer.from(`${JSON.stringify(settings, null, 2)}\n`),
      mode: 0o644,
    },
  };
}

/** A package may have been built on another system than the one it is installed on. */
function runsHere(program: string): boolean {
  return existsSync(program) && spawnSync(program, ['--version'], { timeout: 5_000 }).status === 0;
}

/** A repository's settings can set variables for hooks, and NODE_OPTIONS makes Node run any code. */
function wrapper(home: string, { node, script }: ForwarderSettings): string {
  const command = [node, script, '--home', home].map(quoted).join(' ');
  return `#!/bin/sh\nunset NODE_OPTIONS\nexec ${command} "$@"\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function isInPlace({ path, content, mode }: PlannedFile): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & 0o777) === mode && readFileSync(path).equals(content);
}

/** True when something had to be written. An agent may start the forwarder at any moment, so it is never half there. */
function putInPlace(file: PlannedFile): boolean {
  if (isInPlace(file)) return false;
  const fresh = `${file.path}.${process.pid}`;
  writeFileSync(fresh, file.content);
  chmodSync(fresh, file.mode);
  renameSync(fresh, file.path);
  return true;
}

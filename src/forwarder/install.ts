import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Finding } from '../agents/setup/setup.ts';
import { forwarderFiles } from '../home/failure-mode.ts';
import type { FailureMode } from '../model/failure.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { isInPlace, type PlannedFile, putInPlace } from '../platform/planned-file.ts';
import { shellQuoted } from '../platform/shell-words.ts';
import {
  type ForwarderSettings,
  forwarderPath,
  forwarderSettingsFile,
  readForwarderSettings,
} from '../wire/forwarder-settings.ts';
import {
  type ForwarderKind,
  type ForwarderVersion,
  findNative,
  forwarderVersion,
  type Lack,
} from './native-program.ts';

export interface ForwarderSource {
  /** The directory with `forward.cjs` and, if it could be built, `bin/hookline-forward`. */
  readonly distDir: string;
  /** The version of this Hookline. */
  readonly version: string;
  readonly nodePath: string;
  /** Variables the forwarder sends along. */
  readonly envAllowList: readonly string[];
  /** The failure mode of the forwarder when it reaches no daemon. */
  readonly failure: FailureMode;
}

interface InstalledForwarder {
  readonly path: string;
  readonly kind: ForwarderKind;
  readonly changed: boolean;
}

interface Plan {
  readonly kind: ForwarderKind;
  /** Why it isn't the native one, if one should exist. */
  readonly lack: Lack | null;
  readonly program: PlannedFile;
  readonly settings: readonly PlannedFile[];
}

/** The JavaScript forwarder in the program's folder. */
export const FORWARDER = 'forward.cjs';
const FIX = 'Run `hookline setup` again.';

/** Installs the best forwarder for this machine in the home. */
export function installForwarder(
  home: string,
  source: ForwarderSource,
  platform: NodeJS.Platform = process.platform,
): InstalledForwarder {
  const { kind, program, settings } = plan(home, source, platform);
  makeFolder(dirname(program.path), 0o700);
  // Settings first, because a forwarder without them wouldn't know its home.
  const changed = [...settings, program].map(putInPlace).includes(true);
  return { path: program.path, kind, changed };
}

/** For display: `native forwarder 1.2.3`. */
export function forwarderLabel({ kind, version }: ForwarderVersion): string {
  return `${kind === 'native' ? 'native' : 'JavaScript'} forwarder ${version}`;
}

/** What is wrong with the forwarder in the home, for `doctor`. */
export function inspectForwarder(home: string, source: ForwarderSource): Finding {
  const planned = plan(home, source, process.platform);
  const { program, settings } = planned;
  const finding = (code: string, message: string): Finding => ({ level: 'problem', code, message, fix: FIX });
  if (!existsSync(program.path)) {
    const message = `No forwarder at ${program.path}, so calls are not checked.`;
    return { ...finding('forwarder-missing', message), fix: 'Run `hookline setup`.' };
  }
  const found = readForwarderSettings(home);
  if (!found) {
    return finding(
      'forwarder-settings',
      `${forwarderSettingsFile(home)} is missing or broken, so there is no fallback.`,
    );
  }
  const gone = [found.node, found.script].find((path) => !existsSync(path));
  if (gone !== undefined) {
    return finding(
      'forwarder-fallback',
      `${gone} is missing, so there is no fallback when the daemon is down.`,
    );
  }
  const other = settings.find((file) => !isInPlace(file));
  if (isInPlace(program) && !other) return inPlaceFinding(planned, source);
  const installed = forwarderVersion(program.path);
  if (!installed) {
    return finding('forwarder-broken', `${program.path} does not run, so calls are not checked.`);
  }
  const message = isInPlace(program)
    ? `${other?.path} was not written by this Hookline.`
    : difference(program.path, installed, { kind: planned.kind, version: source.version });
  // The protocol may differ between versions.
  const level = installed.version === source.version ? 'warning' : 'problem';
  return { ...finding('forwarder-stale', message), level };
}

function difference(path: string, installed: ForwarderVersion, wanted: ForwarderVersion): string {
  const [is, shouldBe] = [installed, wanted].map(forwarderLabel);
  if (is === shouldBe) return `${path} is a different build of the ${is} than this Hookline's.`;
  return `${path} is the ${is}; this Hookline has the ${shouldBe}.`;
}

function inPlaceFinding({ kind, lack, program }: Plan, { version }: ForwarderSource): Finding {
  const message = `The ${forwarderLabel({ kind, version })} is installed: ${program.path}`;
  if (lack === null) return { level: 'ok', code: 'forwarder', message, fix: null };
  const why = `It starts Node for each call: ${lack.why}.`;
  return { level: 'warning', code: 'forwarder-slow', message, why, fix: lack.fix };
}

function plan(home: string, source: ForwarderSource, platform: NodeJS.Platform): Plan {
  const settings: ForwarderSettings = {
    node: source.nodePath,
    script: join(source.distDir, FORWARDER),
    env: source.envAllowList,
  };
  const native = findNative(source.distDir, source.version);
  return {
    kind: native.path === null ? 'node' : 'native',
    lack: native.path === null ? native.lack : null,
    program: {
      path: forwarderPath(home, platform),
      content:
        native.path === null ? Buffer.from(wrapper(home, settings, platform)) : readFileSync(native.path),
      mode: 0o755,
    },
    settings: forwarderFiles(home, settings, source.failure),
  };
}

/** A repository's settings can set variables for hooks, and NODE_OPTIONS makes Node run any code. */
function wrapper(home: string, { node, script }: ForwarderSettings, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    const file = JSON.stringify(pathToFileURL(script).href);
    return `process.argv.splice(2, 0, '--home', ${JSON.stringify(home)});\nimport(${file});\n`;
  }
  const command = [node, script, '--home', home].map(shellQuoted).join(' ');
  return `#!/bin/sh\nunset NODE_OPTIONS\nexec ${command} "$@"\n`;
}

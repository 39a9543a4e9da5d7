import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { scriptIn } from '../../src/live/as-script.ts';
import { bashPayload, type Ran, readEvents, runProgram } from '../faults/product.ts';
import { inCheckout } from './checkout.ts';

/** A prefix that npm has installed Hookline into, and a new home. */
export interface Installed {
  readonly modules: string;
  /** The settings of the agent that the home has from the start. */
  readonly settingsFile: string;
  /** `hookline …`, from the prefix. */
  hookline(...args: readonly string[]): Promise<Ran>;
  /** What the agent would run before its shell runs a command. */
  callShell(command: string): Promise<Ran>;
}

const settingsSchema = v.looseObject({
  hooks: v.looseObject({
    PreToolUse: v.array(v.object({ hooks: v.array(v.looseObject({ command: v.string() })) })),
  }),
});
const doctorSchema = v.object({
  ok: v.boolean(),
  reports: v.array(
    v.object({
      about: v.string(),
      findings: v.array(
        v.looseObject({
          level: v.string(),
          code: v.string(),
          message: v.string(),
          why: v.nullish(v.string()),
        }),
      ),
    }),
  ),
});

/** As one that people have edited: remove must give back every byte. */
const SETTINGS = '{\n\t"model": "opus",   "hooks": { "Stop": [] }\n}';
const RULES = `rules:
  - id: no-publish
    command: npm publish
    deny: Releases are made by CI.
`;

export interface Source {
  readonly node: string;
  readonly tarball: string;
  /** Where packages of our own scope come from; the other ones come from the usual registry. */
  readonly registry?: string;
}

/** Installs a tarball into an empty prefix, without any script. */
export async function installTarball(
  folder: string,
  { node, tarball, registry }: Source,
): Promise<Installed> {
  const prefix = join(folder, 'prefix');
  const own = registry === undefined ? [] : [`--@hookline:registry=${registry}`];
  mkdirSync(prefix, { recursive: true });
  await inCheckout(
    prefix,
    ['npm', 'install', '--global', '--prefix', prefix, '--ignore-scripts', '--no-audit', ...own, tarball],
    { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` },
  );
  return useInstalled(folder, node);
}

/** Hookline as it is installed in the prefix of a folder. */
export function useInstalled(folder: string, node: string): Installed {
  const home = join(folder, 'home');
  const settingsFile = join(home, '.claude', 'settings.json');
  for (const path of ['.claude', '.hookline/rules']) mkdirSync(join(home, path), { recursive: true });
  writeFileSync(settingsFile, SETTINGS);
  writeFileSync(join(home, '.hookline', 'rules', 'mine.yaml'), RULES);
  writeFileSync(join(home, '.hookline', 'config.yaml'), 'http: {port: 0}\n');
  const env = {
    PATH: [dirname(node), '/usr/bin', '/bin'].join(':'),
    HOME: home,
    NO_COLOR: '1',
    HOOKLINE_NO_AUTOSTART: '1',
  };
  const program = join(folder, 'prefix', 'bin', 'hookline');
  const script = scriptIn(join(home, '.hookline'));
  return {
    modules: join(folder, 'prefix', 'lib', 'node_modules'),
    settingsFile,
    hookline: (...given) => {
      const { args, env: key } = script.call(given);
      return runProgram(program, args, '', { ...env, ...key }, home);
    },
    callShell: (command) => {
      const settings = v.parse(settingsSchema, JSON.parse(readFileSync(settingsFile, 'utf8')));
      const hook = settings.hooks.PreToolUse[0]?.hooks[0]?.command ?? 'false';
      return runProgram('/bin/sh', ['-c', hook], bashPayload(command), env, home);
    },
  };
}

interface ForwarderFinding {
  readonly level: string;
  readonly message: string;
  /** Why it is not the best one. */
  readonly why: string | null;
}

/** What `doctor` says of the forwarder. */
export async function forwarderFinding({ hookline }: Installed): Promise<ForwarderFinding> {
  const { reports } = v.parse(doctorSchema, JSON.parse((await hookline('doctor', '--json')).stdout));
  const findings = reports.flatMap((report) => report.findings);
  const found = findings.find(({ code }) => code.startsWith('forwarder'));
  if (!found) throw new Error('doctor says nothing of the forwarder');
  const { level, message, why } = found;
  return { level, message, why: why ?? null };
}

/** The commands that were decided before a tool ran, and how. */
export async function decisions({ hookline }: Installed): Promise<readonly string[]> {
  const events = readEvents((await hookline('events', '--json')).stdout);
  return events.map(({ tool, response }) => `${tool?.input.command}: ${response.decision}`);
}

export { SETTINGS };

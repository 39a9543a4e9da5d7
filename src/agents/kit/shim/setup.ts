import { existsSync, statSync } from 'node:fs';
import { HooklineError } from '../../../model/errors.ts';
import { counted } from '../../../model/text.ts';
import { VERSION } from '../../../version.ts';
import { MAX_HOLD_MS } from '../../../wire/limits.ts';
import { bySetup, ok, problem, warning, when } from '../../setup/findings.ts';
import { readSettings, unreadable } from '../../setup/settings-json.ts';
import {
  type AgentSetup,
  changed,
  type FileEdit,
  type Finding,
  type SetupContext,
} from '../../setup/setup.ts';
import type { ShimSettings } from './core.ts';
import { coreFindings, corePlan, coreRemoval } from './core-setup.ts';
import { shimText, writtenBy } from './file.ts';
import {
  type LoadedPackage,
  packageFindings,
  packageWrapper,
  projectPackages,
  type ShimPackage,
  userPackage,
} from './package.ts';
import { homeOf, readText } from './places.ts';
import { readSeen } from './seen.ts';
import { type ShimAgent, shimSettings } from './settings.ts';

/** A limit of a client's own, and the variable that changes it. */
interface LoadLimit {
  readonly ms: number;
  readonly variable: string;
  /** In ms, for a busy machine. */
  readonly wanted: number;
}

/** A client that loads a file of ours into its own process. */
export interface ShimHost extends ShimAgent {
  readonly label: string;
  /** The file that the client loads. */
  path(context: SetupContext): string;
  /** Other places from which the client would load the same, so that each event came twice. */
  elsewhere(context: SetupContext): readonly string[];
  /** How the client installs this package instead. */
  readonly package?: ShimPackage;
  /** The file is a small loader: the rest lies in the home, where Node reads it faster than the client would. */
  readonly hasCore?: true;
  /** How long the client waits until the file is loaded; then it goes on without it. */
  readonly loadLimit?: LoadLimit;
  /** Files that the client wants beside it; only those that are not there are written. */
  beside?(context: SetupContext): Readonly<Record<string, string>>;
  detect: AgentSetup['detect'];
  /** What else is right or wrong, once it is set up. */
  findings?(context: SetupContext): readonly Finding[];
}

/** One file, for this user only: the same for a project as well would hear each event twice. */
export function shimSetup(host: ShimHost): AgentSetup {
  return {
    scopes: ['user'],
    ...(host.package ? { wrapper: packageWrapper(host.package) } : {}),
    detect: host.detect,
    plan(context) {
      if (context.events)
        throw new HooklineError('USAGE', `Events of ${host.label} cannot be chosen.`, {
          hint: 'Its file sends all that Hookline reads. Leave out --events, or name another agent.',
        });
      // The client loads the same from there.
      if (packageOf(host, context)) return [];
      const path = host.path(context);
      const before = readSettings(path);
      if (before !== null && writtenBy(before, host.id) === null)
        throw unreadable(path, 'was not written by Hookline');
      return [
        ...missingBeside(host, context),
        // First, so that a loader never is without it.
        ...corePlan(host, context),
        ...changed({ path, before, after: shimText(settingsOf(host, context)) }),
      ];
    },
    planRemoval(context) {
      const path = host.path(context);
      const before = readSettings(path);
      if (before === null || writtenBy(before, host.id) === null) return [];
      return [{ path, before, after: null }, ...coreRemoval(host, context), ...ownBeside(host, context)];
    },
    inspect: (context) => inspect(host, context),
  };
}

/** How long the client waits for the answer to an event. */
export function shimTimeoutMs({ deadlineMs }: Pick<ShimHost, 'deadlineMs'>): number {
  return deadlineMs ?? MAX_HOLD_MS;
}

/** A client that goes on without a file that is late guards nothing then. */
function loadFindings({ id, label, loadLimit }: ShimHost, { env }: SetupContext): readonly Finding[] {
  if (!loadLimit) return [];
  const { ms, variable, wanted } = loadLimit;
  const given = Number(env[variable] ?? ms);
  if (given > ms)
    return [ok('load-limit', `${label} gives plugins ${given / 1_000} s to load (${variable}).`)];
  return [
    warning(
      'load-limit',
      `${label} gives plugins ${(given > 0 ? given : ms) / 1_000} s to load. It silently continues without Hookline if the machine is too slow for that.`,
      `Set ${variable}=${wanted} in the environment of ${label}, or start it with \`hookline exec ${id}\`.`,
    ),
  ];
}

function settingsOf(host: ShimHost, context: SetupContext): ShimSettings {
  const { forwarder, failClosed } = context;
  return shimSettings(host, { home: homeOf(context), forwarder, failClosed });
}

function missingBeside({ beside }: ShimHost, context: SetupContext): readonly FileEdit[] {
  const wanted = Object.entries(beside?.(context) ?? {});
  if (wanted.some(([path]) => existsSync(path))) return [];
  return wanted.map(([path, after]) => ({ path, before: null, after }));
}

/** Those that are still what we wrote, the first last: the folders around all of them were made for it. */
function ownBeside({ beside }: ShimHost, context: SetupContext): readonly FileEdit[] {
  return Object.entries(beside?.(context) ?? {})
    .toReversed()
    .filter(([path, text]) => readText(path) === text)
    .map(([path, before]) => ({ path, before, after: null }));
}

function packageOf(host: ShimHost, context: SetupContext): LoadedPackage | null {
  return host.package ? userPackage(host.package, context) : null;
}

function inspect(host: ShimHost, context: SetupContext): readonly Finding[] {
  const { id, label } = host;
  const path = host.path(context);
  const text = readText(path);
  const isOurs = text !== null && writtenBy(text, id) !== null;
  const found = packageOf(host, context);
  const loaded = found?.entry ?? (isOurs ? path : null);
  if (loaded === null) return [notSetUp(host, path), ...twiceFindings(host, context, null)];
  const findings = [
    ...(found && host.package ? packageFindings({ ...host.package, id }, found, context) : []),
    ...(isOurs ? [...fileFindings(host, context, text), ...coreFindings(host, context, text)] : []),
    ...seenFindings(host, context, loaded),
  ];
  const isFine = !findings.some(({ level }) => level === 'problem' || level === 'warning');
  return [
    ...when(isFine, ok('set-up', `${label} loads ${loaded}.`)),
    ...findings,
    ...twiceFindings(host, context, loaded),
    ...loadFindings(host, context),
    ...(host.findings?.(context) ?? []),
  ];
}

function notSetUp({ id, label }: ShimHost, path: string): Finding {
  const fix = `Run \`hookline setup ${id}\`.`;
  return warning(
    'not-set-up',
    `${label} has no file of Hookline at ${path}.`,
    existsSync(path) ? `Move that file away. ${fix}` : fix,
  );
}

/** What the client loads beside `loaded`: of several copies of this version one asks, but others may be older. */
function twiceFindings(host: ShimHost, context: SetupContext, loaded: string | null): readonly Finding[] {
  const { id, label, package: how } = host;
  const isOurs = (file: string) => writtenBy(readText(file) ?? '', id) !== null;
  const own = host.path(context);
  const files = host.elsewhere(context).filter(isOurs);
  const packages = how ? projectPackages(how, context) : [];
  const also = (file: string, fix: string) =>
    warning('set-up-twice', `${label} also loads ${file}: one of them is too many.`, fix);
  return [
    ...when(loaded !== null && loaded !== own && isOurs(own), also(own, `Run \`hookline remove ${id}\`.`)),
    ...files.map((file) => also(file, `Delete ${file}.`)),
    ...packages.map(({ entry, settings }) => also(entry, `Take the package out of ${settings}.`)),
  ];
}

/** Is the file the one that setup would write now? Whether failures refuse is stored elsewhere. */
function fileFindings(host: ShimHost, context: SetupContext, text: string): readonly Finding[] {
  const { id } = host;
  const path = host.path(context);
  const again = `Run \`hookline setup ${id}\` again.`;
  const version = writtenBy(text, id);
  const isMissing = !existsSync(context.forwarder);
  const wanted = [true, false].map((failClosed) => shimText(settingsOf(host, { ...context, failClosed })));
  if (!isMissing && wanted.includes(text)) return [];
  if (isMissing || !text.includes(JSON.stringify(context.forwarder)))
    return [
      bySetup(
        problem(
          'stale-path',
          `${path} calls a forwarder that is not the installed one: calls may go unchecked.`,
          again,
        ),
      ),
    ];
  return [
    bySetup(
      version === VERSION
        ? problem('changed-entries', `${path} is not what setup writes: something has changed it.`, again)
        : warning('stale-version', `${path} is of Hookline ${version}; this is ${VERSION}.`, again),
    ),
  ];
}

/** A client says nothing about a file that it did not load, so the file itself has to. */
function seenFindings(host: ShimHost, context: SetupContext, path: string): readonly Finding[] {
  const { id, label } = host;
  const seen = readSeen(homeOf(context), id);
  const writtenAt = statSync(path).mtimeMs;
  if (!seen || seen.at < writtenAt) {
    const since = seen ? `since it was set up; before, on ${dateOf(seen.at)}` : 'yet';
    return [
      warning(
        'not-seen',
        `${label} has not loaded Hookline’s file ${since}: until then nothing is guarded.`,
        `Start ${label} once. If this stays, its log says why it does not load ${path}.`,
      ),
    ];
  }
  const other = `${counted(seen.changed, 'call')} of the ${label} that was started last ran with other arguments than the decided ones; the last was of ${seen.tool}.`;
  return [
    ok('seen', `Loaded last on ${dateOf(seen.at)}${seen.client ? `, by ${label} ${seen.client}` : ''}.`),
    ...when(
      seen.changed > 0,
      problem('changed-arguments', other, 'Remove the plugin that changes them, or make it run first.'),
    ),
  ];
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').slice(0, 16);
}

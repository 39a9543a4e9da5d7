import { isToolEvent } from '../model/events.ts';
import { BoundedMap } from '../platform/bounded.ts';
import { analyse } from '../shell/analyse.ts';
import type { Analysis } from '../shell/analysis.ts';
import { posixFolder } from '../shell/places/windows-paths.ts';
import type { Facts, World } from './facts.ts';
import { withOwnPrograms } from './self/own-programs.ts';
import { stampOf } from './session/session-files.ts';
import type { Queries, SessionBefore } from './session/tracked.ts';

const LONGEST_REMEMBERED = 10_000;
const analysed = new BoundedMap<string, Remembered>(512);

interface Remembered {
  readonly analysis: Analysis;
  /** Files of the session that were looked up; null if there were none. */
  readonly before: Then | null;
}

interface Then extends Pick<SessionBefore, 'version' | 'looked'> {
  /** Null if too many were looked up to keep: then any file of the session may matter. */
  readonly queries: Queries | null;
}

/** A line about ten files in deep directories looks up a hundred paths. */
const MAX_QUERIES = 200;

/** Cached, because several rules ask about one call, and agents repeat commands. */
export function analyseCommand(
  command: string,
  { event, cwd, world, real, memory }: Pick<Facts, 'event' | 'cwd' | 'world' | 'real' | 'memory'>,
): Analysis {
  const before = memory.files.before(event, world, real);
  return withOwnPrograms(remembered(command, cwd, world, before, shellOf(event)), world, real);
}

/** A tool with such a name runs PowerShell, whatever the line looks like. */
function shellOf(event: Facts['event']): 'powershell' | undefined {
  const names = isToolEvent(event) ? [event.tool.name, event.tool.nativeName] : [];
  return names.some((name) => /^(?:powershell|pwsh)$/i.test(name)) ? 'powershell' : undefined;
}

function remembered(
  command: string,
  cwd: string | null,
  world: World,
  before: SessionBefore | null,
  shell: 'powershell' | undefined,
): Analysis {
  const key = `${shell ?? ''}\0${cwd}\0${world.home}\0${before === null ? 'first' : 'later'}\0${command}`;
  const known = analysed.get(key);
  if (known && (before === null || isStillSo(key, known, before, world))) return known.analysis;
  const home = posixFolder(world.home);
  const analysis = analyse(command, {
    ...(cwd === null ? {} : { cwd }),
    ...(home === null ? {} : { home }),
    // The variable always names the directory for temporary files, whatever it is on this machine.
    env: { TMPDIR: '/tmp', ...(home === null ? {} : { HOME: home }) },
    ...(before && { before }),
    ...(shell && { shell }),
  });
  if (command.length <= LONGEST_REMEMBERED) analysed.set(key, { analysis, before: before && thenOf(before) });
  return analysis;
}

/** Without the files of the session, which are dropped when it ends. */
function thenOf({ version, looked, queries }: SessionBefore): Then {
  return { version, looked, queries: queries.size > MAX_QUERIES ? null : queries };
}

/** Most files of a session don't matter to the line, so only those that were looked up are compared. */
function isStillSo(
  key: string,
  { analysis, before: then }: Remembered,
  before: SessionBefore,
  world: World,
): boolean {
  if (then === null || !isUnchanged(then.looked, world)) return false;
  if (then.version === before.version) return true;
  const { queries } = then;
  if (queries === null || !before.hasSameAnswers(queries)) return false;
  // The same result may now depend on other files.
  const looked = new Map([...then.looked, ...before.looked]);
  analysed.set(key, { analysis, before: { version: before.version, queries, looked } });
  return true;
}

/** The content of a file may change before the next call. */
function isUnchanged(looked: SessionBefore['looked'], world: World): boolean {
  for (const [path, stamp] of looked) if (stamp === null || stampOf(path, world) !== stamp) return false;
  return true;
}

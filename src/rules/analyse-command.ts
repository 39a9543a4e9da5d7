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
  /** What the session had left by then, as far as it was looked up; null where that was nothing. */
  readonly before: Then | null;
}

interface Then extends Pick<SessionBefore, 'version' | 'looked'> {
  /** Null where more was looked up than is worth keeping: anything that the session leaves may be part of it. */
  readonly queries: Queries | null;
}

/** A line about ten files in deep folders looks up a hundred paths. */
const MAX_QUERIES = 200;

/** One call is asked about several times, and agents run the same commands again and again. */
export function analyseCommand(
  command: string,
  { event, cwd, world, real, memory }: Pick<Facts, 'event' | 'cwd' | 'world' | 'real' | 'memory'>,
): Analysis {
  const before = memory.files.before(event, world, real);
  return withOwnPrograms(remembered(command, cwd, world, before, shellOf(event)), world, real);
}

/** A tool that is called so runs PowerShell, whatever the line looks like. */
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
    // Whatever it is called on this machine, it is where temporary files go.
    env: { TMPDIR: '/tmp', ...(home === null ? {} : { HOME: home }) },
    ...(before && { before }),
    ...(shell && { shell }),
  });
  if (command.length <= LONGEST_REMEMBERED) analysed.set(key, { analysis, before: before && thenOf(before) });
  return analysis;
}

/** Without the files of the session itself, which go when it ends. */
function thenOf({ version, looked, queries }: SessionBefore): Then {
  return { version, looked, queries: queries.size > MAX_QUERIES ? null : queries };
}

/** Most of what a session leaves has nothing to do with the line: only what was looked up for it counts. */
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
  // The same answer may rest on other files by now.
  const looked = new Map([...then.looked, ...before.looked]);
  analysed.set(key, { analysis, before: { version: before.version, queries, looked } });
  return true;
}

/** What is in a file now may be something else the next time. */
function isUnchanged(looked: SessionBefore['looked'], world: World): boolean {
  for (const [path, stamp] of looked) if (stamp === null || stampOf(path, world) !== stamp) return false;
  return true;
}

import { isToolEvent } from '../model/events.ts';
import { BoundedMap } from '../platform/bounded.ts';
import { analyse } from '../shell/analyse.ts';
import type { Analysis } from '../shell/analysis.ts';
import { posixFolder } from '../shell/windows-paths.ts';
import type { Facts, World } from './facts.ts';
import type { SessionMemory } from './memory.ts';
import { withOwnPrograms } from './own-programs.ts';
import { stampOf } from './session-files.ts';

const LONGEST_REMEMBERED = 10_000;
const analysed = new BoundedMap<string, Remembered>(512);

interface Remembered {
  readonly analysis: Analysis;
  /** Files that it was made with, as they were. */
  readonly looked: ReadonlyMap<string, number | null>;
}

const NO_FILES: Remembered['looked'] = new Map();

/** One call is asked about several times, and agents run the same commands again and again. */
export function analyseCommand(
  command: string,
  { event, cwd, world, real, memory }: Pick<Facts, 'event' | 'cwd' | 'world' | 'real' | 'memory'>,
): Analysis {
  const before = memory.files.before(event, { ...world, real });
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
  before: ReturnType<SessionMemory['files']['before']>,
  shell: 'powershell' | undefined,
): Analysis {
  const key = `${shell ?? ''}\0${cwd}\0${world.home}\0${before?.version ?? ''}\0${command}`;
  const known = analysed.get(key);
  if (known && isUnchanged(known.looked, world)) return known.analysis;
  const home = posixFolder(world.home);
  const analysis = analyse(command, {
    ...(cwd === null ? {} : { cwd }),
    ...(home === null ? {} : { home }),
    // Whatever it is called on this machine, it is where temporary files go.
    env: { TMPDIR: '/tmp', ...(home === null ? {} : { HOME: home }) },
    ...(before && { before }),
    ...(shell && { shell }),
  });
  if (command.length <= LONGEST_REMEMBERED)
    analysed.set(key, { analysis, looked: before?.looked ?? NO_FILES });
  return analysis;
}

/** What is in a file now may be something else the next time. */
function isUnchanged(looked: Remembered['looked'], world: World): boolean {
  for (const [path, stamp] of looked) if (stamp === null || stampOf(path, world) !== stamp) return false;
  return true;
}

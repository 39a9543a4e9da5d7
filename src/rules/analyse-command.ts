import { BoundedMap } from '../platform/bounded.ts';
import { analyse } from '../shell/analyse.ts';
import type { Analysis } from '../shell/analysis.ts';
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
  return withOwnPrograms(remembered(command, cwd, world, before), world, real);
}

function remembered(
  command: string,
  cwd: string | null,
  world: World,
  before: ReturnType<SessionMemory['files']['before']>,
): Analysis {
  const key = `${cwd}\0${world.home}\0${before?.version ?? ''}\0${command}`;
  const known = analysed.get(key);
  if (known && isUnchanged(known.looked, world)) return known.analysis;
  const analysis = analyse(command, {
    ...(cwd === null ? {} : { cwd }),
    ...(world.home === null ? {} : { home: world.home }),
    // Whatever it is called on this machine, it is where temporary files go.
    env: { TMPDIR: '/tmp', ...(world.home === null ? {} : { HOME: world.home }) },
    ...(before && { before }),
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

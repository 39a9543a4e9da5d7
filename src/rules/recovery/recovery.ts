import { basename, dirname, join } from 'node:path';
import { rememberPer } from '../../platform/bounded.ts';
import type { EffectOf } from '../../shell/analysis.ts';
import { literalFolder } from '../../shell/memory/store.ts';
import { isWithin } from '../calm/public.ts';
import type { Facts, Found } from '../facts.ts';
import { isCommitted } from './committed.ts';
import { isSettledLine } from './line.ts';
import { isMadeHere } from './made-here.ts';
import type { Recovery } from './recoveries.ts';
import { isRegenerable } from './regenerable.ts';
import { repositoryOf } from './repository.ts';

/** True if everything deleted can be restored in one of these ways. */
export function isRecovered(ways: readonly string[], some: readonly Found[], facts: Facts): boolean {
  const taken = some.filter(takesAway);
  return (
    taken.length > 0 && taken.every((one) => [...recoveriesOf(one, facts)].every((way) => ways.includes(way)))
  );
}

function takesAway({ access, tags }: Found): boolean {
  const [kind = ''] = tags;
  return access === 'delete' || access === 'write' || kind === 'vcs' || kind === 'resource';
}

const known = rememberPer((_: Facts) => new Map<Found, ReadonlySet<Recovery>>());

/** For each part of what is deleted. Any doubt makes it `unknown`. */
function recoveriesOf(found: Found, facts: Facts): ReadonlySet<Recovery> {
  const before = known(facts).get(found);
  if (before) return before;
  const recoveries = new Set(find(found, facts));
  known(facts).set(found, recoveries);
  return recoveries;
}

const UNKNOWN: readonly Recovery[] = ['unknown'];

function find(found: Found, facts: Facts): readonly Recovery[] {
  if (found.tags[0] === 'resource') return ['none'];
  if (!isSettledLine(found, facts)) return UNKNOWN;
  if (found.tags[0] === 'vcs') return [ofDiscarded(found, facts)];
  const { path, glob } = found.touched;
  if (path === null || !path.startsWith('/')) return UNKNOWN;
  if (glob && mayLeaveBy(path, found, facts)) return UNKNOWN;
  return [glob ? ofSearch(path, facts) : ofPath(path, facts)];
}

function ofPath(path: string, facts: Facts): Recovery {
  const place = realPlace(path, facts);
  if (place === null) return 'unknown';
  if (isRegenerable(place, facts)) return 'regenerable';
  if (isMadeHere(place, facts)) return 'made-here';
  const repository = repositoryOf(dirname(place), facts);
  if (repository === null) return 'unknown';
  return isCommitted(place, repository, facts) ? 'committed' : 'none';
}

/** The real path; null for a link, because either the link or everything behind it may be meant. */
function realPlace(path: string, { real }: Facts): string | null {
  const place = join(real(dirname(path)), basename(path));
  return real(path) === place ? place : null;
}

/** True if a pattern of several levels may lead through a link. A search by name follows none. */
function mayLeaveBy(path: string, { command }: Found, facts: Facts): boolean {
  const folder = literalFolder(path);
  const levels = path.slice(folder.length).split('/').slice(1);
  const by = facts.analysis()?.commands[command ?? -1];
  if (levels.length < 2 || by?.tool === 'find' || by?.via.includes('find')) return false;
  const names = levels.includes('**') ? null : facts.scope().expand(path);
  return names?.every((name) => isWithin(facts.real(dirname(name)), facts.real(folder))) !== true;
}

/** A name with an extension, which only a few of git's own files have. */
const OF_FILES = /\/[^/]*\.\w{1,10}$/;

/** Everything that a pattern matches below a directory must be restorable. */
function ofSearch(path: string, facts: Facts): Recovery {
  const folder = literalFolder(path);
  const place = realPlace(folder, facts);
  const repository = place !== null && OF_FILES.test(path) ? repositoryOf(place, facts) : null;
  if (repository === null || place !== repository.root) return ofPath(folder, facts);
  const { work, ignored, hasBlindSpots, keeps } = repository;
  const isSafe =
    work.length === 0 &&
    !hasBlindSpots &&
    ignored.every((one) => isRegenerable(one, facts)) &&
    !keeps(ENDING.exec(path)?.[0] ?? '');
  return isSafe ? 'committed' : 'none';
}

const ENDING = /\.\w{1,10}$/;

function ofDiscarded({ command }: Found, facts: Facts): Recovery {
  const lost = (facts.analysis()?.effects ?? []).filter(
    (effect): effect is EffectOf<'vcs'> =>
      effect.kind === 'vcs' && effect.command === command && effect.loses.length > 0,
  );
  const recoveries = lost.map(({ discards, loses }): Recovery => {
    if (!discards || loses.some((loss) => loss !== 'changes' && loss !== 'untracked')) return 'unknown';
    const repository = repositoryOf(facts.real(discards.folder), facts);
    if (repository === null || repository.hasBlindSpots) return 'unknown';
    const isLost =
      repository.work.length > 0 ||
      (discards.ignored && !repository.ignored.every((path) => isRegenerable(path, facts)));
    return isLost ? 'none' : 'committed';
  });
  return recoveries.find((recovery) => recovery !== 'committed') ?? recoveries[0] ?? 'unknown';
}

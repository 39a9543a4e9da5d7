import type { Facts, Found } from '../facts.ts';

/**
 * Where something happens: in the project, elsewhere on this machine, on a disposable resource, on a shared one, or on
 * one that customers use.
 */
export type Where = 'project' | 'machine' | 'disposable' | 'shared' | 'production' | 'unknown';

interface Doer {
  readonly command: number | null;
  readonly found: Found | null;
}

/** A word for production wins over all others; undescribed targets are unknown. */
export function whereDone({ command, found }: Doer, facts: Facts): Where {
  const effects = facts.effects();
  const own = found === null ? effects.filter((one) => one.command === command) : [found];
  const isSaid = (word: string, ofKind: readonly Found[]) => ofKind.some(({ tags }) => tags.includes(word));
  const around = command === null ? own : effects.filter((one) => one.command === command);
  if (
    isSaid(
      'production',
      around.filter(({ tags }) => tags[0] === 'resource'),
    )
  )
    return 'production';
  if (isSaid('disposable', own)) return 'disposable';
  if (found === null) return 'unknown';
  const [kind] = found.tags;
  if (found.touched.path !== null) return placeOfPath(found.touched.path, facts);
  if (kind === 'resource') return 'shared';
  if (kind === 'network' && found.tags.includes('loopback')) return 'machine';
  return kind === 'system' || kind === 'privilege' ? 'machine' : 'unknown';
}

function placeOfPath(path: string, facts: Facts): Where {
  const { project } = facts.scope();
  const real = facts.real(path);
  return project !== null && (real === project || real.startsWith(`${project}/`)) ? 'project' : 'machine';
}

import { posix } from 'node:path';
import type { Effect } from '../analysis.ts';
import type { Call } from '../call.ts';
import { hasUnknown } from '../placeholders.ts';
import { resolvePath } from '../places/paths.ts';

/** A directory of this machine and its path in a container. */
interface Mount {
  readonly source: string;
  readonly target: string;
}

const MAX_MOUNTS = 16;
const CHANGED: ReadonlySet<string> = new Set(['write', 'delete', 'permission']);

/** Changes of a container below a shared directory are changes of this machine, under its own path. */
export function changesOutside(call: Call, from: number): void {
  const { effects, commands } = call.walk;
  const mounts = mountsOf(call);
  if (mounts.length === 0) return;
  const workdir = call.value('--workdir')?.text ?? null;
  for (const effect of effects.slice(from)) {
    if (!CHANGED.has(effect.kind) || commands[effect.command]?.place !== 'container') continue;
    const path = 'path' in effect ? effect.path : null;
    const inside = path === null || path.startsWith('/') ? path : workdir && posix.join(workdir, path);
    const outside = inside && nameOutside(inside, mounts);
    if (!outside) continue;
    call.walk.meet(1);
    effects.push({ ...effect, path: outside, prefix: null, ending: null } as Effect);
  }
}

function nameOutside(path: string, mounts: readonly Mount[]): string | null {
  const inside = mounts.filter(({ target }) => path === target || path.startsWith(`${target}/`));
  // The inner one of two nested shares.
  const [mount] = inside.sort((one, other) => other.target.length - one.target.length);
  return mount === undefined ? null : mount.source + path.slice(mount.target.length);
}

function mountsOf(call: Call): readonly Mount[] {
  const words = call.values('--volume', '--mount').slice(0, MAX_MOUNTS);
  return words.flatMap(({ template }) => {
    const [source = '', target = ''] = template.includes('=')
      ? [/(?:^|,)(?:source|src)=([^,]+)/, /(?:^|,)(?:target|dst|destination)=([^,]+)/].map(
          (field) => field.exec(template)?.[1] ?? '',
        )
      : template.split(':');
    if (!/^[/.~]/.test(source) || !target.startsWith('/') || hasUnknown(template)) return [];
    const base = { cwd: call.cwd, home: call.walk.home };
    return [
      {
        source: resolvePath(source, base).replace(/\/$/, ''),
        target: posix.normalize(target).replace(/\/$/, ''),
      },
    ];
  });
}

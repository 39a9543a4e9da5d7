import type { Effect } from '../../shell/analysis.ts';

/** The words by which rules speak of an effect. The first is its kind. */
export function effectTags(effect: Effect): readonly string[] {
  switch (effect.kind) {
    case 'run':
      return effect.program === null ? ['run', 'unknown'] : ['run'];
    case 'read':
      return tags('read', effect.path === null && 'unknown');
    case 'write':
      return tags('write', effect.append && 'append', effect.path === null && 'unknown');
    case 'delete':
      return tags(
        'delete',
        effect.recursive && 'recursive',
        effect.force && 'force',
        effect.glob && 'glob',
        effect.path === null && 'unknown',
      );
    case 'permission':
      return tags('permission', effect.recursive && 'recursive', effect.path === null && 'unknown');
    case 'network':
      return tags('network', effect.direction, effect.sends && 'sends', effect.host === null && 'unknown');
    case 'privilege':
      return ['privilege', effect.how];
    case 'vcs':
      return tags(
        'vcs',
        effect.action,
        effect.force && 'force',
        effect.skipsHooks && 'skips-hooks',
        ...effect.loses.map((what) => `loses-${what}`),
      );
    case 'env':
      return ['env', effect.op];
    case 'execute':
      return ['execute', effect.from];
    case 'resource':
      return tags('resource', effect.system, effect.action, effect.destructive && 'destructive');
    case 'system':
      return ['system', effect.action];
    case 'package':
      return tags('package', effect.manager, effect.action, effect.global && 'global');
  }
}

function tags(...words: readonly (string | false)[]): string[] {
  return words.filter((word) => word !== false);
}

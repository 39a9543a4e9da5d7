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
        effect.glob && EVERYTHING.test(effect.path ?? '') && 'everything',
        effect.glob && FOUND.test(effect.path ?? '') && 'found',
        effect.path === null && 'unknown',
      );
    case 'permission':
      return tags(
        'permission',
        effect.recursive && 'recursive',
        effect.path === null && 'unknown',
        ...modeTags(effect.mode ?? ''),
      );
    case 'network':
      return tags(
        'network',
        effect.direction,
        effect.sends && 'sends',
        effect.host === null && 'unknown',
        effect.host !== null && LOOPBACK.test(effect.host) && 'loopback',
      );
    case 'privilege':
      return ['privilege', effect.how];
    case 'vcs':
      return tags(
        'vcs',
        ...effect.action.split(' '),
        effect.force && 'force',
        effect.skipsHooks && 'skips-hooks',
        ...effect.loses.map((what) => `loses-${what}`),
      );
    case 'env':
      return ['env', effect.op, effect.name === '*' ? 'everything' : effect.name];
    case 'execute':
      return ['execute', effect.from, effect.interpreter];
    case 'resource':
      return tags(
        'resource',
        effect.system,
        ...effect.action.split(' '),
        effect.destructive && 'destructive',
      );
    case 'system':
      return ['system', ...effect.action.split(' ')];
    case 'package':
      return tags('package', effect.manager, effect.action, effect.global && 'global');
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|0\.0\.0\.0)$/i;

/** All that a folder holds, rather than some of it: `x/*`, `x/.*`. */
const EVERYTHING = /(?:^|\/)\.?\*$/;
/** What a search below a folder comes across, rather than the folder. */
const FOUND = /(?:^|\/)\*\*(?:\/|$)/;

/** `open` lets everybody write; `setuid` runs as the owner, whoever starts it. */
function modeTags(mode: string): (string | false)[] {
  const digits = /^0?([0-7]?)[0-7]{2}([0-7])$/.exec(mode);
  if (digits) {
    const [, special = '', others = ''] = digits;
    return [(Number(others) & 2) !== 0 && 'open', (Number(special || 0) & 6) !== 0 && 'setuid'];
  }
  const parts = mode.split(',');
  return [
    parts.some((part) => /^[ugoa]*[oa][ugoa]*[+=][rxXst]*w/.test(part)) && 'open',
    parts.some((part) => /^[ugoa]*[+=][rwxXt]*s/.test(part)) && 'setuid',
  ];
}

function tags(...words: readonly (string | false)[]): string[] {
  return words.filter((word) => word !== false);
}

import { entryFor } from '../../knowledge/load.ts';
import type { Effect } from '../../shell/analysis.ts';
import { asksAdminPort } from '../hosts/admin-ports.ts';
import { carriesData } from '../hosts/carried-data.ts';
import { isThisMachine } from '../hosts/nearby.ts';
import { hostTraits } from '../hosts/traits.ts';
import { type EffectWord, lost, namedTags, tags } from './effect-words.ts';

type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

/** The words for an effect in rules. The first is its kind. */
export function effectTags(effect: Effect): readonly string[] {
  switch (effect.kind) {
    case 'run':
      return tags('run', effect.program === null && 'unknown');
    case 'read':
      return tags('read', effect.path === null && 'unknown');
    case 'write':
      return writeTags(effect);
    case 'delete':
      return deleteTags(effect);
    case 'permission':
      return permissionTags(effect);
    case 'network':
      return networkTags(effect.host, effect.url, effect);
    case 'send':
      return tags('send', effect.what, effect.host === null && 'unknown', effect.told === true && 'told');
    case 'privilege':
      return namedTags('privilege', [effect.how], effect.shell && 'shell', mayBeRoot(effect) && 'root');
    case 'vcs':
      return namedTags(
        'vcs',
        effect.action.split(' '),
        effect.force && 'force',
        effect.skipsHooks && 'skips-hooks',
        ...effect.loses.map(lost),
      );
    case 'env':
      return effect.name === '*'
        ? tags('env', effect.op, 'everything')
        : namedTags('env', [effect.name], effect.op);
    case 'execute':
      return namedTags('execute', [effect.interpreter], effect.from);
    case 'resource':
      return namedTags(
        'resource',
        [effect.system, ...effect.action.split(' ')],
        effect.destructive && 'destructive',
        effect.how ?? false,
      );
    case 'system':
      return namedTags('system', effect.action.split(' '));
    case 'package':
      return packageTags(effect);
  }
}

function permissionTags(effect: EffectOf<'permission'>): readonly string[] {
  return tags(
    'permission',
    effect.recursive && 'recursive',
    effect.path === null && 'unknown',
    effect.of === 'owner' && 'owner',
    mayClose(effect) && 'closed',
    // For a directory, the permission to enter it counts as well.
    mayClose({ ...effect, recursive: true }) && 'no-entry',
    ...modeTags(effect.mode ?? ''),
  );
}

function writeTags({ append, below, path, glob, truncated }: EffectOf<'write'>): readonly string[] {
  return tags(
    'write',
    append && 'append',
    below && 'below',
    truncated === true && 'truncated',
    glob && FOUND.test(path ?? '') && 'found',
    path === null && 'unknown',
  );
}

/** True for the administrator by name or number, and for an unknown or variable user. */
export function mayBeRoot({ user }: EffectOf<'privilege'>): boolean {
  return user === null || /^(?:root|toor|#?[+-]?\d+|admin(?:istrator)?|system)(?::|$)/i.test(user);
}

/** A package from a URL or repository: `git+https://…`, `x @ https://…`, `github:a/b`. */
const ADDRESS =
  /^(?:[\w.[\],-]+\s*@\s*)?(?:git|hg|svn|bzr|ssh|https?|ftp)(?:\+\w+)?:|^(?:github|gitlab|bitbucket|gist):|^git@/i;
function isAddress(name: string, manager: string): boolean {
  const { installs } = entryFor(manager) ?? {};
  if (installs === 'machine' && /\.(?:deb|apk|pkg|snap|flatpak|AppImage|pkg\.tar\.\w+)$/.test(name))
    return true;
  return (
    ADDRESS.test(name) || (installs === 'repositories' && /^[a-z\d][\w-]*\/[\w.-]+(?:#.*)?$/i.test(name))
  );
}

function packageTags({ manager, action, global, names }: EffectOf<'package'>): readonly string[] {
  const isForeign = names.some((name) => isAddress(name, manager));
  return namedTags('package', [manager, action], global && 'global', isForeign && 'address');
}

/** All content of a directory: `x/*`, `x/.*`. */
const EVERYTHING = /(?:^|\/)\.?\*$/;
/** Results of a search below a directory, rather than the directory itself. */
const FOUND = /(?:^|\/)\*\*(?:\/|$)/;

/** Any result of a search, without a name. */
const UNNAMED = /(?:^|\/)\*\*$/;
/** A search for one file by its full name. */
const NAMED = /(?:^|\/)\*\*\/[^*?[{]+$/;
/** A search for names with a common prefix, which belong together. */
const TELLING = /(?:^|\/)\*\*\/[^*?[{]{3,}[^/{]*$/;

function deleteTags(effect: EffectOf<'delete'>): readonly string[] {
  // A match of a pattern is as wide as the pattern, if that covers everything below a directory.
  const isOfAll =
    effect.path === null && effect.raw.startsWith('"$') && effect.among?.every((one) => UNNAMED.test(one));
  const among = isOfAll ? (effect.among ?? []) : [];
  const places = among.length > 0 ? among : [effect.path ?? effect.ending ?? ''];
  const isGlob = effect.glob || among.length > 0;
  const some = (is: RegExp) => isGlob && places.some((place) => is.test(place));
  const every = (is: RegExp) => isGlob && places.every((place) => is.test(place));
  return tags(
    'delete',
    effect.recursive && 'recursive',
    effect.force && 'force',
    effect.moved && 'moved',
    effect.glob && 'glob',
    effect.glob && EVERYTHING.test(effect.path ?? '') && 'everything',
    some(FOUND) && 'found',
    some(UNNAMED) && 'unnamed',
    every(NAMED) && 'named',
    every(TELLING) && 'telling',
    (effect.sifted === 'surely' || effect.sifted === 'nearby') && 'sifted',
    (effect.sifted === 'perhaps' || effect.sifted === 'aged') && 'sieved',
    effect.sifted === 'aged' && 'aged',
    effect.path === null && 'unknown',
    effect.among !== undefined && 'among',
  );
}

interface Traffic {
  readonly direction: 'in' | 'out';
  readonly sends: boolean;
}

const FETCH: Traffic = { direction: 'out', sends: false };

export function networkTags(
  host: string | null,
  url: string | null,
  { direction, sends }: Traffic = FETCH,
): readonly string[] {
  return tags(
    'network',
    direction,
    sends && 'sends',
    host === null && 'unknown',
    host !== null && isThisMachine(host) && 'loopback',
    asksAdminPort(url) && 'admin-port',
    carriesData(url) && 'carries',
    ...hostTraits(host, url),
  );
}

/** The mode of `chmod` in digits: special, owner, group, others. */
const DIGITS = /^0?([0-7]?)([0-7])[0-7]([0-7])$/;

/** `open`: writable by all users. `setuid`, `setgid`: any user runs it as the owner or with the group. */
function modeTags(mode: string): (EffectWord<'permission'> | false)[] {
  const digits = DIGITS.exec(mode);
  if (digits) {
    const [special = 0, , others = 0] = digits.slice(1).map(Number);
    return [(others & 2) !== 0 && 'open', (special & 4) !== 0 && 'setuid', (special & 2) !== 0 && 'setgid'];
  }
  const parts = mode.split(',');
  const sets = (who: RegExp) => parts.some((part) => who.test(part));
  return [
    sets(/^[ugoa]*[oa][ugoa]*[+=][rxXst]*w/) && 'open',
    sets(/^(?:[goa]*[ua][ugoa]*)?[+=][rwxXt]*s/) && 'setuid',
    sets(/^[uoa]*g[uoa]*[+=][rwxXt]*s/) && 'setgid',
  ];
}

/** True if the owner may lose the permission to read, or to enter directories. */
export function mayClose({ of, mode, recursive }: EffectOf<'permission'>): boolean {
  if (of === 'owner') return false;
  if (mode === null) return true;
  const owner = DIGITS.exec(mode)?.[2];
  if (owner !== undefined) return (Number(owner) & (recursive ? 5 : 4)) !== (recursive ? 5 : 4);
  if (/^\d+$/.test(mode)) return true;
  return mode.split(',').some((part) => /^(?:[goa]*[ua][ugoa]*)?(?:-[wst]*[rxX]|=[wst]*$)/.test(part));
}

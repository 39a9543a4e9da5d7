import { filesOf } from '../../knowledge/load.ts';
import { BoundedMap, once, rememberPer } from '../../platform/bounded.ts';
import type { Look } from '../../shell/reading/reader.ts';
import type { Facts } from '../facts.ts';
import { type PathPatterns, type PathScope, pathPatterns, placeAt } from '../match/paths.ts';

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** System files that are the same on every machine. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib32|lib64)(?:\/|$)/;
const SYSTEM_NAMES = /^\/(?:etc|opt)(?:\/|$)/;
const SYSTEM_FILES = new RegExp(
  '^/etc/(?:os-release|lsb-release|debian_version|hosts|hostname|passwd|group|shells|services|protocols|timezone|issue|' +
    'fstab|resolv\\.conf|nsswitch\\.conf|[\\w-]+-release)$|^/proc/(?:cpuinfo|meminfo|version|loadavg|uptime|filesystems)$|^/dev/null$',
);

/** True for a public path outside of every project. */
export function isPublic(real: string, at: Look['at']): boolean {
  return SYSTEM.test(real) || SYSTEM_FILES.test(real) || (at === 'names' && SYSTEM_NAMES.test(real));
}

/** Private files, in any directory and with any packs. A false match only costs an approval. */
const PRIVATE_NAMES = [
  '**/.env*',
  '**/.{npmrc,pypirc,yarnrc,yarnrc.yml,netrc,htpasswd}',
  '**/.git/config',
  '**/{secrets,.secrets,credentials,.ssh,.aws,.gnupg}/**',
  // The root of a Mac contains shared directories.
  '/*/**/private/**',
  '**/*{secret,credential,passw}*.{json,yml,yaml,toml,ini,txt,conf,cfg,xml,properties,csv,env}',
];

/** A secret in a home is also one in a project. */
const anywhere = (glob: string): string => glob.replace(/^~\//, '**/');

const privatePlaces = once(() =>
  pathPatterns([
    ...PRIVATE_NAMES,
    ...Object.values(filesOf('secrets'))
      .flat()
      .flatMap((one) => [one, anywhere(one)]),
  ]),
);

/** True if a file may hold secrets, or if a rule may apply to reading it. */
export function isPrivate(path: string, facts: Facts): boolean {
  const scope = facts.scope();
  const guarded = facts.guarded ?? NONE;
  if (scope.real(path) === path && !mayBePrivate(path, scope, guarded)) return false;
  const place = placeAt(path);
  return [privatePlaces(), ...guarded].some((some) => some.touch(place, scope) !== null);
}

const NONE: readonly PathPatterns[] = [];
const REMEMBERED = 500;

interface Named extends Pick<PathScope, 'home' | 'project'> {
  readonly isPrivate: boolean;
}

const namesKnown = rememberPer((_: readonly PathPatterns[]) => new BoundedMap<string, Named>(REMEMBERED));

/** Checks only the name, which is the same for every call that reads it. */
function mayBePrivate(path: string, { home, project }: PathScope, guarded: readonly PathPatterns[]): boolean {
  const known = namesKnown(guarded);
  const before = known.get(path);
  if (before && before.home === home && before.project === project) return before.isPrivate;
  const place = placeAt(path);
  const isPrivate = [privatePlaces(), ...guarded].some((some) => some.mayTouch(place, { home, project }));
  known.set(path, { home, project, isPrivate });
  return isPrivate;
}

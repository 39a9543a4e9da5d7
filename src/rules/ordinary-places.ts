import type { Look } from '../shell/reading/reader.ts';
import type { Facts } from './facts.ts';
import { type PathPatterns, pathPatterns, placeAt } from './match/paths.ts';
import { SECRET_PLACES } from './secret-places.ts';

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** What a system is made of, the same on every machine. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib32|lib64)(?:\/|$)/;
const SYSTEM_NAMES = /^\/(?:etc|opt)(?:\/|$)/;
const SYSTEM_FILES = new RegExp(
  '^/etc/(?:os-release|lsb-release|debian_version|hosts|hostname|passwd|group|shells|services|protocols|timezone|issue|' +
    'fstab|resolv\\.conf|nsswitch\\.conf|[\\w-]+-release)$|^/proc/(?:cpuinfo|meminfo|version|loadavg|uptime|filesystems)$|^/dev/null$',
);

/** Whether a place outside of every project is one that anybody may look at. */
export function isOrdinary(real: string, at: Look['at']): boolean {
  return SYSTEM.test(real) || SYSTEM_FILES.test(real) || (at === 'names' && SYSTEM_NAMES.test(real));
}

/** Files of a project that are nobody else's business, whatever packs are on: too many of them only cost a question. */
const PRIVATE_NAMES = [
  '**/.env*',
  '**/.{npmrc,pypirc,yarnrc,yarnrc.yml,netrc,htpasswd}',
  '**/.git/config',
  '**/{secrets,.secrets,private,credentials,.ssh,.aws,.gnupg}/**',
  '**/*{secret,credential,passw}*.{json,yml,yaml,toml,ini,txt,conf,cfg,xml,properties,csv,env}',
];

const privatePlaces: PathPatterns = pathPatterns([...PRIVATE_NAMES, ...Object.values(SECRET_PLACES).flat()]);

/** Whether a file may hold secrets, or a rule has something to say about reading it, be that only possible. */
export function isPrivate(path: string, facts: Facts): boolean {
  const place = placeAt(path);
  return [privatePlaces, ...(facts.guarded ?? [])].some((some) => some.touch(place, facts.scope()) !== null);
}

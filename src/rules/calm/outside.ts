import type { Look } from '../../shell/reading/reader.ts';
import { isPublic, isWithin } from './public.ts';

/** Where a system keeps information on itself and its users, including devices. */
const OF_SYSTEM =
  /^\/(?:etc|root|srv|data|export|opt|net|inet[46]?|nfs|media|Volumes|mnt(?!\/[a-z]\/)|var|proc|sys|dev|run|boot|efi|lost\+found|Library|System|private\/(?:etc|var)|(?:mnt\/|cygdrive\/)?[a-z](?!\/Users\/))(?:\/|$)/;
const TEMPORARY = /^(?:\/private)?(?:\/var)?\/tmp\/./;
const ANY_HOME = /^\/(?:home|(?:(?:mnt\/|cygdrive\/)?[a-z]\/)?Users)\/[^/]+(?=\/|$)/;

/** Directories of a home with personal files. A directory inside them is a project or similar. */
const OWN =
  /^(?:Documents|Desktop|Downloads|Pictures|Music|Movies|Videos|Dropbox|OneDrive|Google Drive|iCloud.*)$/;
/** Where programs keep data about their user. */
const OF_PROGRAMS = /^(?:Library|AppData|Application Data|Local Settings|snap)$/;

/** Dotfiles that are a public part of a project. */
const SHOWN =
  /^\.(?:github|gitignore|gitattributes|gitmodules|editorconfig|nvmrc|node-version|python-version|ruby-version|tool-versions|dockerignore|storybook|husky|(?:prettier|eslint|stylelint)(?:rc|ignore)(?:\.\w+)?)$/;

/** Words in the names of private files. */
const PRIVATE =
  /(?:^|[^a-z])(?:secrets?|credentials?|passw(?:or)?ds?|passphrases?|wallets?|seeds?|mnemonics?|recovery|tokens?|keys?|private|bank(?:ing)?|tax(?:es)?|salar(?:y|ies)|payroll|statements?|passports?|medical|ssn|cookies?|sessions?|keychains?|vaults?|2fa|otp|backup-codes|history)(?:[^a-z]|$)|\.(?:kdbx?|pem|p12|pfx|key|asc|gpg|age|jks|keystore|ovpn|sqlite3?|db|dump|bak)$/i;

/**
 * True if a path outside the project may be read: no top-level names of a home, and only files of what looks like a
 * project rather than a user, a program or the system. Anything unknown counts as private.
 */
export function isOpenOutside(real: string, at: Look['at'], ownHome: string | null): boolean {
  if (isPublic(real, at)) return true;
  const home = homeOf(real, ownHome);
  if (home === null) return isOpenPlace(real, at);
  const [first = '', ...below] = real.slice(home.length + 1).split('/');
  if (first === '' || OF_PROGRAMS.test(first)) return false;
  const deep = below.length - (OWN.test(first) ? 1 : 0);
  return at === 'names' ? deep >= 0 : deep >= 1 && isShown([first, ...below]);
}

function homeOf(real: string, own: string | null): string | null {
  return own !== null && isWithin(real, own) ? own : (ANY_HOME.exec(real)?.[0] ?? null);
}

function isOpenPlace(real: string, at: Look['at']): boolean {
  if (TEMPORARY.test(real)) return at === 'names' || isShown(real.replace(/^.*?\/tmp\//, '').split('/'));
  const names = real.split('/').slice(1);
  if (OF_SYSTEM.test(`${real}/`) || names.length < 2) return false;
  return at === 'names' || isShown(names);
}

const isShown = (names: readonly string[]): boolean =>
  names.every((name) => (!name.startsWith('.') || SHOWN.test(name)) && !PRIVATE.test(name));

/** True if a command may run there, which lets it read files in it. */
export function isOpenFolder(real: string, ownHome: string | null): boolean {
  return isOpenOutside(`${real}/x`, 'contents', ownHome);
}

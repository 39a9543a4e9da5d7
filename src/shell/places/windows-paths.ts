import { entryOf } from '../../model/lookup.ts';

const FOLDERS: Readonly<Record<string, string>> = {
  userprofile: '~',
  homepath: '~',
  home: '~',
  temp: '/tmp',
  tmp: '/tmp',
  windir: '/c/Windows',
  systemroot: '/c/Windows',
  systemdrive: '/c',
  programfiles: '/c/Program Files',
  programdata: '/c/ProgramData',
  appdata: '~/AppData/Roaming',
  localappdata: '~/AppData/Local',
};

/** The folder that a variable of Windows stands for, by its name in whatever case. */
export function folderOf(variable: string): string | null {
  return entryOf(FOLDERS, variable.toLowerCase()) ?? null;
}

/** `C:\Users\x` as `/c/Users/x`, the way shells on Windows write it; variables for folders by what they stand for. */
export function posixPath(text: string): string {
  const named = text.replace(/\$env:(\w+)|\$\{env:(\w+)\}|%(\w+)%|\$(home)\b/gi, (whole, a, b, c, d) => {
    return folderOf(String(a ?? b ?? c ?? d)) ?? whole;
  });
  return named
    .replace(/\\/g, '/')
    .replace(/^([a-z]):(?=\/|$)/i, (_, drive: string) => `/${drive.toLowerCase()}`)
    .replace(/(?<=.)\/+$/, '');
}

/** A folder as an agent names it: on a drive of Windows, the way shells there write it. */
export function posixFolder<T extends string | null>(folder: T): T | string {
  return folder !== null && /^[a-z]:(?:[\\/]|$)/i.test(folder) ? posixPath(folder) : folder;
}

/** The way back: `/c/Users/x` as `C:\Users\x`. */
export function windowsPath(path: string): string {
  const [, drive, rest = ''] = /^\/([a-z])(\/.*)?$/i.exec(path) ?? [];
  return drive === undefined ? path : `${drive.toUpperCase()}:${rest.replaceAll('/', '\\') || '\\'}`;
}

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

/** The directory that a Windows variable stands for, in any case. */
export function folderOf(variable: string): string | null {
  return entryOf(FOLDERS, variable.toLowerCase()) ?? null;
}

/** `C:\Users\x` as `/c/Users/x`, as shells on Windows write it, with directory variables replaced. */
export function posixPath(text: string): string {
  const named = text.replace(/\$env:(\w+)|\$\{env:(\w+)\}|%(\w+)%|\$(home)\b/gi, (whole, a, b, c, d) => {
    return folderOf(String(a ?? b ?? c ?? d)) ?? whole;
  });
  return named
    .replace(/\\/g, '/')
    .replace(/^([a-z]):(?=\/|$)/i, (_, drive: string) => `/${drive.toLowerCase()}`)
    .replace(/(?<=.)\/+$/, '');
}

/** A directory from an agent, with a Windows drive written as shells there do. */
export function posixFolder<T extends string | null>(folder: T): T | string {
  return folder !== null && /^[a-z]:(?:[\\/]|$)/i.test(folder) ? posixPath(folder) : folder;
}

/** The reverse: `/c/Users/x` as `C:\Users\x`. */
export function windowsPath(path: string): string {
  const [, drive, rest = ''] = /^\/([a-z])(\/.*)?$/i.exec(path) ?? [];
  return drive === undefined ? path : `${drive.toUpperCase()}:${rest.replaceAll('/', '\\') || '\\'}`;
}

import { entryOf } from '../model/lookup.ts';

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

/** `C:\Users\x` as `/c/Users/x`, the way shells on Windows write it; variables for folders by what they stand for. */
export function posixPath(text: string): string {
  const named = text.replace(/\$env:(\w+)|\$\{env:(\w+)\}|%(\w+)%|\$(home)\b/gi, (whole, a, b, c, d) => {
    return entryOf(FOLDERS, String(a ?? b ?? c ?? d).toLowerCase()) ?? whole;
  });
  return named
    .replace(/\\/g, '/')
    .replace(/^([a-z]):(?=\/|$)/i, (_, drive: string) => `/${drive.toLowerCase()}`)
    .replace(/(?<=.)\/+$/, '');
}

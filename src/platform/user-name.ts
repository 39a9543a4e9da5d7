import { userInfo } from 'node:os';

/** Throws for a uid without a name. */
type UserInfo = () => { readonly username: string };

/** Null under a uid that has no name, as containers may run us. */
export function userName(info: UserInfo = userInfo): string | null {
  try {
    return info().username;
  } catch {
    return null;
  }
}

/** Whom to name as the one who decided. */
export function whoDecides(info: UserInfo = userInfo): string {
  return userName(info) ?? `uid ${process.getuid?.() ?? 'unknown'}`;
}

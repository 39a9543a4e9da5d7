import { userInfo } from 'node:os';

/** Throws for a UID without a name. */
type UserInfo = () => { readonly username: string };

/** Null for a UID without a name, as in some containers. */
export function userName(info: UserInfo = userInfo): string | null {
  try {
    return info().username;
  } catch {
    return null;
  }
}

/** Name of the person who decides. */
export function whoDecides(info: UserInfo = userInfo): string {
  return userName(info) ?? `uid ${process.getuid?.() ?? 'unknown'}`;
}

import { userInfo } from 'node:os';

/** Null under a uid that has no name, as containers may run us. */
export function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

/** Whom to name as the one who decided. */
export function whoDecides(): string {
  return userName() ?? `uid ${process.getuid?.() ?? 'unknown'}`;
}

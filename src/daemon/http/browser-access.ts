import { BoundedMap } from '../../platform/bounded.ts';
import { isSameSecret, newSecret } from '../../platform/secrets.ts';

/** What a page must present: the cookie, which only the browser knows, and the key, which only the page knows. */
interface PagePass {
  readonly cookie: string;
  readonly key: string;
}

/**
 * Which browsers on this machine have access. A cookie alone isn't enough: browsers send it to every port of this
 * host, so a program listening on another port sees it. The key stays in the storage of our own origin.
 */
export interface WebAccess {
  /** A code that admits one browser, once, within a minute. */
  issueCode(): string;
  /** The pass for a code; null if the code was used, has expired, or never existed. */
  redeem(code: string): PagePass | null;
  admits(cookie: string, key: string): boolean;
  /** Revokes the access of the browser with this cookie. */
  leave(cookie: string): void;
}

export const CODE_LIFETIME_MS = 60_000;
export const PASS_LIFETIME_MS = 7 * 86_400_000;
const MOST_CODES = 20;
const MOST_PASSES = 50;

export function createWebAccess(now: () => number = Date.now): WebAccess {
  const codes = new BoundedMap<string, number>(MOST_CODES);
  const passes = new BoundedMap<string, { readonly key: string; readonly until: number }>(MOST_PASSES);
  return {
    issueCode() {
      const code = newSecret();
      codes.set(code, now() + CODE_LIFETIME_MS);
      return code;
    },
    redeem(code) {
      const until = codes.get(code);
      codes.delete(code);
      if (until === undefined || now() > until) return null;
      const pass = { cookie: newSecret(), key: newSecret() };
      passes.set(pass.cookie, { key: pass.key, until: now() + PASS_LIFETIME_MS });
      return pass;
    },
    admits(cookie, key) {
      const pass = passes.get(cookie);
      return pass !== undefined && now() <= pass.until && isSameSecret(key, pass.key);
    },
    leave: (cookie) => void passes.delete(cookie),
  };
}

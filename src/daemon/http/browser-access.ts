import { BoundedMap } from '../../platform/bounded.ts';
import { isSameSecret, newSecret } from '../../platform/secrets.ts';

/** What a page has to have: the cookie, which only the browser knows, and the key, which only the page knows. */
interface PagePass {
  readonly cookie: string;
  readonly key: string;
}

/**
 * Who of the browsers on this machine may look in. A cookie alone is not enough: browsers send it to every port of
 * this host, so a program that listens on another one sees it. The key stays in the storage of our own origin.
 */
export interface WebAccess {
  /** A code that lets one browser in, once, within a minute. */
  issueCode(): string;
  /** The pass for a code; null when it was used, is too old, or never was one. */
  redeem(code: string): PagePass | null;
  admits(cookie: string, key: string): boolean;
  /** The browser that has this cookie is not let in any more. */
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

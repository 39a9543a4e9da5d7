import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import type { WebAccess } from './browser-access.ts';

const COOKIE = 'hookline';
/** Pages of other origins can't send this header without a preflight request. */
export const KEY_HEADER = 'x-hookline-key';
/** Prefix of the key when a page opens a socket: it can't send headers then, but it can name protocols. */
const KEY_PROTOCOL = 'hookline.';

const SAFE = new Set(['GET', 'HEAD']);
/** What a page may change. It can't stop the daemon, delete history or grant access. */
const MAY_POST =
  /^\/api\/(?:approvals\/[^/]+|grants\/[^/]+\/revoke|proposals\/[^/]+\/accept|packs\/[^/]+|confirm|rules\/(?:check|try|save)|logout)$/;

/** True if a request comes from an admitted page of ours. */
export function isFromPage(c: Context, access: WebAccess): boolean {
  if (!SAFE.has(c.req.method) && !(c.req.method === 'POST' && MAY_POST.test(c.req.path))) return false;
  const origin = c.req.header('origin');
  // A browser sends the origin with every write, and with a read only if it is cross-origin.
  if (origin === undefined ? !SAFE.has(c.req.method) : origin !== `http://${c.req.header('host')}`)
    return false;
  return access.admits(cookieOf(c.req.header('cookie')), c.req.header(KEY_HEADER) ?? '');
}

/** The same for the live feed. */
export function isSocketFromPage({ headers }: IncomingMessage, access: WebAccess): boolean {
  if (headers.origin !== `http://${headers.host}`) return false;
  return access.admits(cookieOf(headers.cookie), keyInProtocol(headers['sec-websocket-protocol']));
}

export function keyInProtocol(protocol = ''): string {
  return protocol.startsWith(KEY_PROTOCOL) ? protocol.slice(KEY_PROTOCOL.length) : '';
}

/** The value of our cookie among those that a browser sends. */
export function cookieOf(header: string | undefined): string {
  return cookieNamed(COOKIE, header);
}

export function cookieNamed(wanted: string, header: string | undefined): string {
  for (const part of header?.split(';') ?? []) {
    const [name, value] = part.trim().split('=', 2);
    if (name === wanted) return value ?? '';
  }
  return '';
}

export function setCookie(value: string, seconds: number): string {
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
}

/**
 * Restricts a page to loading from and talking to this server. No page may frame it.
 * @param worker whether it may register a service worker, through a policy of that name that allows no other script
 */
export function pageHeaders(
  host: string,
  scheme: 'ws' | 'wss' = 'ws',
  worker = false,
): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      // Some browsers don't apply 'self' to sockets of the same origin.
      `connect-src 'self' ${scheme}://${host}`,
      "manifest-src 'self'",
      ...(worker ? ["worker-src 'self'"] : []),
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      worker ? 'trusted-types service-worker' : "trusted-types 'none'",
    ].join('; '),
    ...EVERYWHERE,
  };
}

/** Headers of every response. */
export const EVERYWHERE: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import type { Device } from '../../approvals/device.ts';
import { cookieNamed, KEY_HEADER, keyInProtocol } from '../http/gate.ts';
import type { Devices } from './devices.ts';

/** With this prefix a browser accepts the cookie only over TLS and only for this exact host. */
const COOKIE = '__Host-hookline-device';

/** What a device may read. */
const MAY_GET =
  /^\/api\/(?:overview|approvals|sessions|recent-sessions|sessions\/[^/]+\/[^/]+|events\/[^/]+|search|rules|rule-hits|rule-text|grants|proposals|health|fleet\/(?:coverage|feed|search))$/;
/** The same for a device limited to certain projects: excludes what can't be filtered by project. */
const MAY_GET_OF_PROJECTS =
  /^\/api\/(?:overview|approvals|sessions|recent-sessions|sessions\/[^/]+\/[^/]+|events\/[^/]+)$/;
/** A device may answer and log out. */
const MAY_POST = /^\/api\/(?:approvals\/[^/]+|logout)$/;

/** True if a device may make this request at all. Its limits decide what an answer may contain. */
export function mayAsk({ projects }: Pick<Device, 'projects'>, method: string, path: string): boolean {
  if (method === 'POST') return MAY_POST.test(path);
  if (method !== 'GET' && method !== 'HEAD') return false;
  return (projects === null ? MAY_GET : MAY_GET_OF_PROJECTS).test(path);
}

/** The device whose page sent a request, identified by its cookie, its key and our own origin. */
export function deviceOf(c: Context, devices: Devices): Device | null {
  const origin = c.req.header('origin');
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  // A browser sends the origin with every write, and with a read only if it is cross-origin.
  if (origin === undefined ? !reads : !isOurs(origin, c.req.header('host'))) return null;
  return devices.admits(cookieOf(c.req.header('cookie')), c.req.header(KEY_HEADER) ?? '');
}

/** The same for the live feed. */
export function deviceOfSocket({ headers }: IncomingMessage, devices: Devices): Device | null {
  if (!isOurs(headers.origin, headers.host)) return null;
  return devices.admits(cookieOf(headers.cookie), keyInProtocol(headers['sec-websocket-protocol']));
}

export function isOurs(origin: string | undefined, host: string | undefined): boolean {
  return host !== undefined && origin === `https://${host}`;
}

export function cookieOf(header: string | undefined): string {
  return cookieNamed(COOKIE, header);
}

export function deviceCookie(value: string, seconds: number): string {
  return `${COOKIE}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
}

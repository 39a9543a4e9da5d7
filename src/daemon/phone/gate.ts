import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import type { Device } from '../../approvals/device.ts';
import { cookieNamed, KEY_HEADER, keyInProtocol } from '../http/gate.ts';
import type { Devices } from './devices.ts';

/** With this prefix a browser takes it over TLS only, and for this very host only. */
const COOKIE = '__Host-hookline-device';

/** What a device may look at. */
const MAY_GET =
  /^\/api\/(?:overview|approvals|sessions|recent-sessions|sessions\/[^/]+\/[^/]+|events\/[^/]+|search|rules|rule-hits|rule-text|grants|proposals|health|fleet\/(?:coverage|feed|search))$/;
/** The same for one that sees certain projects only: what cannot be told apart by project is not among it. */
const MAY_GET_OF_PROJECTS =
  /^\/api\/(?:overview|approvals|sessions|recent-sessions|sessions\/[^/]+\/[^/]+|events\/[^/]+)$/;
/** It answers, and can leave. */
const MAY_POST = /^\/api\/(?:approvals\/[^/]+|logout)$/;

/** Whether a device may ask this at all. What an answer may say is for its limits. */
export function mayAsk({ projects }: Pick<Device, 'projects'>, method: string, path: string): boolean {
  if (method === 'POST') return MAY_POST.test(path);
  if (method !== 'GET' && method !== 'HEAD') return false;
  return (projects === null ? MAY_GET : MAY_GET_OF_PROJECTS).test(path);
}

/** The device whose page sends a request: by its cookie, its key, and by coming from our own origin. */
export function deviceOf(c: Context, devices: Devices): Device | null {
  const origin = c.req.header('origin');
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  // A browser says where a request that changes something comes from; one that reads, only when it is another place.
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

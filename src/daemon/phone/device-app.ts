import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import { accessRecord, changeRecord } from '../../access/record.ts';
import type { Device } from '../../approvals/device.ts';
import { HooklineError } from '../../model/errors.ts';
import { createRejections } from '../../notify/rejected-answers.ts';
import { whoDecides } from '../../platform/user-name.ts';
import { approvalRoutes } from '../api/api-approvals.ts';
import { EVERYWHERE, pageHeaders } from '../http/gate.ts';
import type { ApiEnv } from '../http/guard.ts';
import { errorAnswer, notFound } from '../http-app.ts';
import type { Daemon } from '../run-daemon.ts';
import { readPage, sendFile } from '../web/page.ts';
import { webApiRoutes } from '../web/routes.ts';
import type { Devices } from './devices.ts';
import { cookieOf, deviceCookie, deviceOf, isOurs, mayAsk } from './gate.ts';
import type { Pairing } from './pairing.ts';

/** Access to the listener for devices. */
interface PhoneDoor {
  readonly devices: Devices;
  readonly pairing: Pairing;
  isServed(host: string | undefined): boolean;
  /** Remote address of a request. */
  addressOf(c: Context): string;
  /** A device logged out. */
  left(name: string): void;
}

/** Browsers keep no cookie for longer. Each visit renews it. */
const COOKIE_SECONDS = 400 * 86_400;
const MAX_BODY_BYTES = 64 << 10;
/** Limit for a path in the log, longer than any valid one. */
const LONGEST_PATH = 100;
/** What a browser without a pass may load: the pairing page with its assets. They reveal nothing about this machine. */
const FOR_ALL = /^\/(?:assets\/pair-[^/]+|icon[^/]*|manifest\.webmanifest)$/;

/** Everything served to a device: the dashboard, its data, and answers. No hooks, no token. */
export function createPhoneApp(daemon: Daemon, door: PhoneDoor): Hono<ApiEnv> {
  const { home, hub, access } = daemon;
  const app = new Hono<ApiEnv>();
  app.use(headers(door));
  const tell = errorAnswer(home.log);
  const beyond = createRejections((why) =>
    hub.note(accessRecord('answer', { allowed: false, why, hint: '', agent: null })),
  );
  app.onError((error, c) => {
    // An answer beyond the device's limits is reported as an attempt.
    if (error instanceof HooklineError && error.code === 'NOT_A_PERSON') beyond.add(error.message);
    return tell(error, c);
  });
  app.use(
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.json(refused('The body is too large.'), 413) }),
  );
  // Anyone on the network can be rejected any number of times, and must not fill the disk.
  const strangers = createRejections((why) => home.log('warning', `a device was not paired: ${why}`));
  app.post('/pair', (c) => pair(c, daemon, door, strangers.add));
  app.get('*', files(door));
  app.use(admitted(door, createRejections((why) => home.log('warning', why)).add));
  app.notFound(notFound);
  app.post('/api/logout', (c) => {
    const { device } = c.var;
    if (device && door.devices.revoke(device.name)) {
      hub.note(changeRecord('devices', `${whoDecides()} (${device.name})`, `logged ${device.name} out`));
      door.left(device.name);
    }
    c.header('set-cookie', deviceCookie('', 0));
    return c.json({ left: true });
  });
  app.route(
    '/api',
    approvalRoutes(home.db, hub.approvals, access, () => hub.away.now() !== null),
  );
  app.route('/api', webApiRoutes(daemon));
  return app;
}

/** A page that rebinds its name to this address still sends its own name here. */
function headers({ isServed }: PhoneDoor): MiddlewareHandler {
  return async (c, next) => {
    if (!isServed(c.req.header('host'))) return c.body(null, 403, EVERYWHERE);
    await next();
    const all = pageHeaders(c.req.header('host') ?? '', 'wss', true);
    for (const [name, value] of Object.entries(all)) c.header(name, value);
  };
}

/** The pairing page for any browser; the dashboard for devices. The files contain nothing about this machine. */
function files({ devices }: PhoneDoor): MiddlewareHandler<ApiEnv> {
  let page: ReturnType<typeof readPage> = new Map();
  return async (c, next) => {
    const { path } = c.req;
    if (path.startsWith('/api/')) return next();
    if (page.size === 0) page = readPage();
    const cookie = cookieOf(c.req.header('cookie'));
    const device = devices.withCookie(cookie);
    const isDoor = path === '/pair' || (path === '/' && device === null);
    const file = page.get(isDoor ? '/pair.html' : path);
    if (!file || !(isDoor || device !== null || FOR_ALL.test(path))) return next();
    if (path === '/' && device !== null) c.header('set-cookie', deviceCookie(cookie, COOKIE_SECONDS));
    return sendFile(c, file);
  };
}

function admitted({ devices }: PhoneDoor, refuse: (why: string) => void): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const device = await askingDevice(c, devices);
    // The same for every path, so that an unpaired client doesn't learn which paths exist.
    if (device === null) return c.json(refused('This device is not paired.'), 401);
    if (!mayAsk(device, c.req.method, c.req.path)) {
      refuse(`rejected ${c.req.path.slice(0, LONGEST_PATH)} from the paired device ${device.name}`);
      return c.json(refused('This device can only view and answer approvals.', 'NOT_A_PERSON'), 403);
    }
    devices.seen(device.name);
    c.set('device', device);
    c.set('identify', async () => ({ kind: 'device', name: device.name }));
    await next();
    c.header('cache-control', 'no-store');
  };
}

async function askingDevice(c: Context<ApiEnv>, devices: Devices): Promise<Device | null> {
  const device = deviceOf(c, devices);
  if (device === null || c.req.method !== 'POST') return device;
  // While the body was in transit, the device may have been revoked or limited.
  await c.req.text();
  return deviceOf(c, devices);
}

const asked = v.strictObject({
  code: v.string(),
  /** Names appear in history and on terminals. */
  name: v.pipe(v.string(), v.trim(), v.regex(/^[\p{L}\p{N}][\p{L}\p{N} ._+'’-]{0,39}$/u)),
});

async function pair(
  c: Context<ApiEnv>,
  { hub }: Pick<Daemon, 'hub'>,
  door: PhoneDoor,
  refuse: (why: string) => void,
): Promise<Response> {
  if (!isOurs(c.req.header('origin'), c.req.header('host')))
    return c.json(refused('This device is not paired.'), 401);
  const parsed = v.safeParse(asked, await c.req.json().catch(() => null));
  if (!parsed.success)
    return c.json(refused('Enter a device name of up to 40 letters, digits and spaces.'), 400);
  const { code, name } = parsed.output;
  const from = door.addressOf(c);
  const made = door.pairing.redeem(code, from, (by) => door.devices.add(name, by));
  if (typeof made === 'string') {
    refuse(`${made === 'wrong' ? 'a wrong code' : 'too many wrong codes'} from ${from}`);
    return made === 'wrong'
      ? c.json(refused('This code has expired or was already used.'), 403)
      : c.json(refused('Too many wrong codes. Wait a minute and try again.'), 429);
  }
  hub.note(changeRecord('devices', made.device.pairedBy, pairedText(made.device, from)));
  c.header('set-cookie', deviceCookie(made.pass.cookie, COOKIE_SECONDS));
  return c.json({ name: made.device.name, key: made.pass.key });
}

const pairedText = ({ name }: Device, from: string): string => `paired the device ${name} at ${from}`;

function refused(message: string, code = 'USAGE'): object {
  return { error: { code, message, hint: null } };
}

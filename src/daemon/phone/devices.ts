import * as v from 'valibot';
import type { Device } from '../../approvals/device.ts';
import { type AnswerLimits, ONLY } from '../../approvals/limits.ts';
import { PLACES_HERE } from '../../model/people/access.ts';
import { readOwnFile } from '../../platform/bounded-files.ts';
import { writePrivateFile } from '../../platform/files.ts';
import { isSameSecret, newSecret } from '../../platform/secrets.ts';
import { sha256 } from '../../platform/sha256.ts';

/** What a device must present: the cookie, which only the browser knows, and the key, which only the page knows. */
interface DevicePass {
  readonly cookie: string;
  readonly key: string;
}

const stored = v.object({
  devices: v.array(
    v.object({
      name: v.string(),
      pairedAt: v.string(),
      pairedBy: v.string(),
      lastSeenAt: v.string(),
      only: v.picklist(ONLY),
      projects: v.nullable(v.array(v.string())),
      cookieHash: v.string(),
      keyHash: v.string(),
    }),
  ),
});
type Stored = v.InferOutput<typeof stored>['devices'][number];

/** The devices of a home. Read each time, because another process may have revoked one. */
export interface Devices {
  list(): readonly Device[];
  /** Adds a device under a unique name. */
  add(name: string, by: string): { readonly device: Device; readonly pass: DevicePass };
  revoke(name: string): boolean;
  /** The device with its new limits; null if there is no device of this name. */
  limit(name: string, limits: Partial<AnswerLimits>): Device | null;
  /** The device with this cookie. Enough for static files without data, and for nothing else. */
  withCookie(cookie: string): Device | null;
  admits(cookie: string, key: string): Device | null;
  /** Notes that the device was just active. */
  seen(name: string): void;
  /** True if another process changed the file since the last call. */
  wasChangedElsewhere(): boolean;
}

/** A device not seen for this long must be paired again. */
export const UNSEEN_MS = 90 * 86_400_000;
/** Precision of the time at which a device was last seen. */
const SEEN_STEP_MS = 60_000;
const MOST_DEVICES = 50;

export function openDevices(file: string, now: () => number = Date.now): Devices {
  const { read, write, change, wasChangedElsewhere } = openFile(file);
  const current = () => read().filter(({ lastSeenAt }) => now() - Date.parse(lastSeenAt) < UNSEEN_MS);
  const holder = (cookie: string) =>
    current().find(({ cookieHash }) => isSameSecret(hashOf(cookie), cookieHash)) ?? null;
  const moment = () => new Date(now()).toISOString();
  return {
    wasChangedElsewhere,
    list: () => current().map(shown),
    add(wanted, by) {
      const pass = { cookie: newSecret(), key: newSecret() };
      const devices = current().slice(-(MOST_DEVICES - 1));
      const device: Stored = {
        name: freeName(wanted, devices),
        pairedAt: moment(),
        pairedBy: by,
        lastSeenAt: moment(),
        only: 'once',
        projects: null,
        cookieHash: hashOf(pass.cookie),
        keyHash: hashOf(pass.key),
      };
      write([...devices, device]);
      return { device: shown(device), pass };
    },
    revoke(name) {
      const devices = read();
      const left = devices.filter((one) => one.name !== name);
      if (left.length < devices.length) write(left);
      return left.length < devices.length;
    },
    limit: (name, limits) => change(name, (device) => ({ ...device, ...asStored(limits) })),
    withCookie(cookie) {
      const found = holder(cookie);
      return found && shown(found);
    },
    admits(cookie, key) {
      const found = holder(cookie);
      return found && isSameSecret(hashOf(key), found.keyHash) ? shown(found) : null;
    },
    seen(name) {
      const last = read().find((one) => one.name === name)?.lastSeenAt;
      if (last !== undefined && now() - Date.parse(last) > SEEN_STEP_MS)
        change(name, (device) => ({ ...device, lastSeenAt: moment() }));
    },
  };
}

function openFile(file: string): {
  read(): readonly Stored[];
  write(devices: readonly Stored[]): void;
  change(name: string, how: (device: Stored) => Stored): Device | null;
  wasChangedElsewhere(): boolean;
} {
  let known = readOwnFile(file) ?? '';
  let isForeign = false;
  const read = (): readonly Stored[] => {
    const text = readOwnFile(file) ?? '';
    if (text !== known) isForeign = true;
    known = text;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), stored), text);
    // A file that cannot be read admits no device.
    return parsed.success ? parsed.output.devices : [];
  };
  const write = (devices: readonly Stored[]) => {
    const text = `${JSON.stringify({ devices }, null, 2)}\n`;
    writePrivateFile(file, text);
    known = text;
  };
  return {
    read,
    write,
    wasChangedElsewhere() {
      read();
      const was = isForeign;
      isForeign = false;
      return was;
    },
    change(name, how) {
      const devices = read();
      const found = devices.find((one) => one.name === name);
      if (!found) return null;
      const changed = how(found);
      write(devices.map((one) => (one === found ? changed : one)));
      return shown(changed);
    },
  };
}

function asStored({ only, projects }: Partial<AnswerLimits>): Partial<Stored> {
  return {
    ...(only === undefined ? {} : { only }),
    ...(projects === undefined ? {} : { projects: projects === null ? null : [...projects] }),
  };
}

function shown({ name, pairedAt, pairedBy, lastSeenAt, only, projects }: Stored): Device {
  return { name, pairedAt, pairedBy, lastSeenAt, only, projects };
}

/** `Pixel 9`, then `Pixel 9 2`, so that an answer identifies its device. */
function freeName(wanted: string, devices: readonly Stored[]): string {
  const taken = new Set([...PLACES_HERE, ...devices.map(({ name }) => name.toLowerCase())]);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

/** The secret is long and random, so a plain hash reveals nothing. */
const hashOf = (text: string): string => sha256(text);

import { changeRecord } from '../../access/record.ts';
import type { Device } from '../../approvals/device.ts';
import { type AnswerLimits, limitText } from '../../approvals/limits.ts';
import { writeSetting } from '../../home/config.ts';
import { changeConfirmed } from '../../home/confirmed/pending.ts';
import { HooklineError, messageOf } from '../../model/errors.ts';
import type { Daemon } from '../run-daemon.ts';
import { type Devices, openDevices } from './devices.ts';
import { createListening, type Listening, type PhoneStatus } from './listening.ts';
import { createPairing, type Pairing, type PairingCode } from './pairing.ts';
import type { PhoneSettings } from './serve.ts';

/** Lets paired remote devices look and answer, while a person has switched that on. */
export interface Phone extends Switch, DeviceChanges {
  /** Null while it is switched off. */
  status(): PhoneStatus | null;
  readonly devices: Pick<Devices, 'list'>;
  /** Creates a link for one device. */
  pair(by: string): PairingCode & { readonly url: string };
  readonly pairing: Pairing['state'];
  close(): Promise<void>;
}

interface Switch {
  /** Throws if it can't listen; then nothing changes. */
  switchOn(wanted: Partial<PhoneSettings>, by: string): Promise<PhoneStatus>;
  switchOff(by: string): Promise<void>;
  /** Applies the settings. Never throws: a network that isn't available yet is retried. */
  follow(): Promise<void>;
}

interface DeviceChanges {
  revoke(name: string, by: string): boolean;
  limit(name: string, limits: Partial<AnswerLimits>, by: string): Device | null;
}

const LOOK_EVERY_MS = 1_000;
const ALERT = 'phone-not-listening';
/** A program that writes that file can admit itself, so the user has to know. */
const CHANGED_ELSEWHERE = {
  code: 'devices-changed',
  level: 'problem',
  message: 'devices.json was changed, but not by the daemon.',
  fix: 'Run `hookline devices` to see who has access and `hookline devices revoke` to remove access.',
} as const;

type PhoneParts = Pick<Daemon, 'home' | 'hub'>;

export function createPhone(parts: PhoneParts, daemon: () => Daemon): Phone {
  const { paths, config } = parts.home;
  const devices = openDevices(paths.devices);
  const pairing = createPairing();
  const listening = createListening(daemon, { devices, pairing });
  const switching = createSwitch(parts, listening);
  const status = () => listening.status(config.phone);
  const timer = setInterval(() => {
    void switching.follow();
    if (devices.wasChangedElsewhere()) {
      // Devices that still have access reconnect, with what they may see now.
      listening.endFeeds(() => true);
      parts.home.alerts.raise(CHANGED_ELSEWHERE);
    }
    listening.endFeeds(({ name }) => !devices.list().some((one) => one.name === name));
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    devices,
    status,
    pairing: pairing.state,
    ...switching,
    ...deviceChanges(parts, devices, listening),
    pair(by) {
      const url = status()?.url ?? null;
      if (url === null)
        throw new HooklineError('USAGE', 'The dashboard is not open to other devices.', {
          hint: 'Run `hookline open --phone`.',
        });
      const code = pairing.issue(by);
      // Browsers send nothing after # to a server, so a link preview can't use up the code.
      return { ...code, url: `${url}/pair#${code.code}` };
    },
    async close() {
      clearInterval(timer);
      await listening.become(null).catch(() => {});
    },
  };
}

interface Following {
  follow(): Promise<void>;
  /**
   * Changes the settings, and doesn't follow them in the meantime. If the change fails, applies the settings as they
   * are.
   */
  whileChanging(change: () => Promise<void>): Promise<void>;
}

function createFollowing({ config, alerts }: PhoneParts['home'], listening: Listening): Following {
  let changes = 0;

  async function follow(): Promise<void> {
    // It listens before the settings say so, and following them now would close it.
    if (changes > 0) return;
    const { address } = config.phone;
    try {
      await listening.become(address === null ? null : { ...config.phone, address });
      alerts.clear(ALERT);
    } catch (error) {
      if (alerts.list().some(({ code }) => code === ALERT)) return;
      const message = `The dashboard is not open to other devices: ${messageOf(error)}`;
      const fix = 'Hookline keeps retrying. Run `hookline open --phone --off` to turn it off.';
      alerts.raise({ code: ALERT, level: 'problem', message, fix });
    }
  }

  return {
    follow,
    async whileChanging(change) {
      changes += 1;
      const failure = await change().then(
        () => null,
        (error: unknown) => ({ error }),
      );
      changes -= 1;
      if (failure === null) return;
      await follow();
      throw failure.error;
    },
  };
}

function createSwitch({ home, hub }: PhoneParts, listening: Listening): Switch {
  const { paths, config, alerts } = home;
  const save = (key: string, value: unknown) =>
    changeConfirmed(paths, home.confirmed, () => writeSetting(paths.config, ['phone', key], value));
  const note = (by: string, what: string) => hub.note(changeRecord('devices', by, what));
  const { follow, whileChanging } = createFollowing(home, listening);
  return {
    follow,
    async switchOn(wanted, by) {
      const address = wanted.address ?? config.phone.address;
      if (address === null)
        throw new HooklineError('USAGE', 'Missing address to listen on.', {
          hint: 'Run `hookline open --phone --address A`.',
        });
      await whileChanging(async () => {
        await listening.become({ ...config.phone, ...wanted, address });
        for (const [key, value] of Object.entries({ ...wanted, address })) save(key, value);
        hub.ownFiles.accept();
      });
      const status = listening.status(config.phone);
      if (status === null) throw new Error('it listens, but it is off in the settings');
      note(by, `opened the dashboard to paired devices at ${status.url}`);
      return status;
    },
    async switchOff(by) {
      if (config.phone.address === null) return;
      save('address', null);
      hub.ownFiles.accept();
      await listening.become(null);
      alerts.clear(ALERT);
      note(by, 'closed the dashboard to other devices');
    },
  };
}

/** Each change ends the device's connections; it reconnects with what it may see then. */
function deviceChanges({ hub }: PhoneParts, devices: Devices, { endFeeds }: Listening): DeviceChanges {
  const changed = (name: string, by: string, what: string) => {
    endFeeds((device) => device.name === name);
    hub.note(changeRecord('devices', by, what));
  };
  return {
    revoke(name, by) {
      const isGone = devices.revoke(name);
      if (isGone) changed(name, by, `revoked the device ${name}`);
      return isGone;
    },
    limit(name, limits, by) {
      const device = devices.limit(name, limits);
      if (device) changed(name, by, `limited the device ${name}: it ${limitText(device)}`);
      return device;
    },
  };
}

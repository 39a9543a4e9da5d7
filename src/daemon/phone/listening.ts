import { messageOf } from '../../model/errors.ts';
import { fileStamp } from '../../platform/files.ts';
import type { Daemon } from '../run-daemon.ts';
import type { Devices } from './devices.ts';
import type { Pairing } from './pairing.ts';
import type { PhoneListener, PhoneSettings } from './serve.ts';

/** State of the listener for devices, for `status`. */
export interface PhoneStatus {
  readonly address: string;
  readonly port: number;
  /** Null while it does not listen. */
  readonly url: string | null;
  readonly fingerprint: string | null;
  /** The certificate to install on a phone; null if the user provides one. */
  readonly authorityFile: string | null;
  /** Why it does not listen. */
  readonly problem: string | null;
}

/** The one listener for devices, which starts, stops and moves with the settings. */
export interface Listening extends Pick<PhoneListener, 'endFeeds'> {
  /** Applies new settings, or stops listening. Changes run one after the other. */
  become(settings: PhoneSettings | null): Promise<void>;
  status(settings: { readonly address: string | null; readonly port: number }): PhoneStatus | null;
}

export function createListening(
  daemon: () => Daemon,
  parts: { readonly devices: Devices; readonly pairing: Pairing },
): Listening {
  let current: { readonly mark: string; readonly listener: PhoneListener } | null = null;
  let problem: string | null = null;
  let last: Promise<void> = Promise.resolve();

  async function change(settings: PhoneSettings | null): Promise<void> {
    const mark = settings === null ? null : markOf(settings);
    if ((current?.mark ?? null) === mark) return;
    const before = current;
    current = null;
    await before?.listener.close();
    problem = null;
    if (settings === null || mark === null) return;
    try {
      // Loaded on demand, because most users never need it.
      const { servePhone } = await import('./serve.ts');
      current = { mark, listener: await servePhone(daemon(), settings, parts) };
    } catch (error) {
      problem = messageOf(error);
      throw error;
    }
  }

  return {
    become(settings) {
      const done = last.then(() => change(settings));
      last = done.catch(() => {});
      return done;
    },
    endFeeds: (of) => current?.listener.endFeeds(of),
    status({ address, port }) {
      if (address === null) return null;
      const { url = null, certificate } = current?.listener ?? {};
      const { fingerprint = null, authorityFile = null } = certificate ?? {};
      return { address, port, url, fingerprint, authorityFile, problem };
    },
  };
}

/** Also detects a renewed user certificate. */
function markOf(settings: PhoneSettings): string {
  const files = [settings.cert, settings.key].map((file) => (file === null ? '' : fileStamp(file)));
  return JSON.stringify([settings, files]);
}

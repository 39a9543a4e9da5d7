import type { StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { messageOf } from '../../model/errors.ts';
import type { FleetSession } from './connection.ts';

/**
 * Rights can't say this. One header on a message of its own lets a machine delete what all others wrote (`Nats-Rollup: all`).
 * And a machine chooses where the server confirms its messages: nats-server 2.9 takes a confirmation that is sent to
 * `$JS.API.STREAM.PURGE.…` for a request to purge, whatever its sender meant.
 */
export const PROTECTED = { allow_rollup_hdrs: false, deny_delete: true, deny_purge: true } as const;

/** Whether a stream was as it should be; else it was changed, or why it could not be. */
export type Protection =
  | { readonly kind: 'same' | 'updated' }
  | { readonly kind: 'refused'; readonly why: string };

/** Makes an existing stream keep what it has. Never rejects: a machine without the right to do so uses it as it is. */
export async function protectStream(
  { jsm }: Pick<FleetSession, 'jsm'>,
  { config }: Pick<StreamInfo, 'config'>,
  more: Partial<StreamConfig> = {},
): Promise<Protection> {
  const wanted = Object.entries({ ...PROTECTED, ...more });
  const found = new Map(Object.entries(config));
  // The server leaves out what is false.
  if (wanted.every(([name, value]) => (found.get(name) ?? false) === value)) return { kind: 'same' };
  try {
    await jsm.streams.update(config.name, { ...PROTECTED, ...more });
    return { kind: 'updated' };
  } catch (error) {
    return { kind: 'refused', why: messageOf(error) };
  }
}

import type { StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { messageOf } from '../../model/errors.ts';
import type { FleetSession } from './connection.ts';

/**
 * Permissions can't express this. One header on its own message lets a machine delete what all others wrote
 * (`Nats-Rollup: all`). A machine also chooses where the server confirms its messages, and nats-server 2.9 takes a
 * confirmation sent to `$JS.API.STREAM.PURGE.…` for a purge request.
 */
export const PROTECTED = { allow_rollup_hdrs: false, deny_delete: true, deny_purge: true } as const;

/** The stream was as it should be, was changed, or couldn't be changed for a reason. */
export type Protection =
  | { readonly kind: 'same' | 'updated' }
  | { readonly kind: 'refused'; readonly why: string };

/** Protects the content of an existing stream. Never rejects: a machine without the right uses the stream unchanged. */
export async function protectStream(
  { jsm }: Pick<FleetSession, 'jsm'>,
  { config }: Pick<StreamInfo, 'config'>,
  more: Partial<StreamConfig> = {},
): Promise<Protection> {
  const wanted = Object.entries({ ...PROTECTED, ...more });
  const found = new Map(Object.entries(config));
  // The server omits false values.
  if (wanted.every(([name, value]) => (found.get(name) ?? false) === value)) return { kind: 'same' };
  try {
    await jsm.streams.update(config.name, { ...PROTECTED, ...more });
    return { kind: 'updated' };
  } catch (error) {
    return { kind: 'refused', why: messageOf(error) };
  }
}

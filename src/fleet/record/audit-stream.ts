import type { StreamConfig, StreamInfo } from '@nats-io/jetstream';
import type { FleetSession } from '../server/connection.ts';
import { loadNats } from '../server/nats.ts';
import { PROTECTED, type Protection, protectStream } from '../server/protect-stream.ts';
import type { FleetSettings } from '../settings.ts';
import { teamNames } from '../subjects.ts';
import { leaderOf } from './settled.ts';

/**
 * How long the server remembers the IDs that it stored. When a connection breaks, a copy in transit can arrive for as
 * long as the server still reads that connection. By default it closes a silent one after 6 minutes.
 */
const DUPLICATES_MS = 10 * 60_000;
const NANOSECONDS = 1e6;
const STREAM_NOT_FOUND = 10059;

/** Distinguishes a stream from a later one of the same name. */
export interface AuditStream {
  readonly name: string;
  readonly created: string;
  /** The largest message that it accepts; null for the server's limit. */
  readonly maxBytes: number | null;
  /** The leading server; null without a cluster. */
  readonly leader: string | null;
}

type Manager = Pick<FleetSession, 'jsm'>;

/**
 * The team's stream, created if missing. In an existing one, only the settings that protect records are changed, and
 * the rest stays as its administrators set it up.
 */
export async function ensureAuditStream(
  { jsm }: Manager,
  team: Pick<FleetSettings, 'team' | 'replicas'>,
): Promise<AuditStream> {
  return (await prepareAuditStream({ jsm }, team)).stream;
}

export async function prepareAuditStream(
  { jsm }: Manager,
  { team, replicas }: Pick<FleetSettings, 'team' | 'replicas'>,
): Promise<{ readonly stream: AuditStream; readonly protection: Protection }> {
  const { auditStream: name, audit } = teamNames(team);
  const known = await findStream({ jsm }, name);
  if (known) return { stream: streamOf(known), protection: await protectStream({ jsm }, known) };
  const config: Partial<StreamConfig> & Pick<StreamConfig, 'name'> = {
    name,
    subjects: [audit],
    num_replicas: replicas,
    duplicate_window: DUPLICATES_MS * NANOSECONDS,
    ...PROTECTED,
    ...(await neverDropping()),
  };
  return { stream: streamOf(await jsm.streams.add(config)), protection: { kind: 'same' } };
}

function streamOf(info: StreamInfo): AuditStream {
  const { name, max_msg_size: most } = info.config;
  return { name, created: info.created, maxBytes: most > 0 ? most : null, leader: leaderOf(info) };
}

/** On disk, and rejects new messages when full: acknowledged records must not be dropped to make room. */
async function neverDropping() {
  const { StorageType, DiscardPolicy, RetentionPolicy } = (await loadNats()).jetstream;
  return {
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    retention: RetentionPolicy.Limits,
  } as const;
}

async function findStream({ jsm }: Manager, name: string): Promise<StreamInfo | null> {
  try {
    return await jsm.streams.info(name);
  } catch (error) {
    const { JetStreamApiError } = (await loadNats()).jetstream;
    if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND) return null;
    throw error;
  }
}

import type { StreamConfig, StreamInfo } from '@nats-io/jetstream';
import type { FleetSession } from '../server/connection.ts';
import { loadNats } from '../server/nats.ts';
import { PROTECTED, type Protection, protectStream } from '../server/protect-stream.ts';
import type { FleetSettings } from '../settings.ts';
import { teamNames } from '../subjects.ts';
import { leaderOf } from './settled.ts';

/**
 * How long the server knows the ids that it has stored. A copy that was on its way when a connection broke can arrive for as
 * long as the server still reads that connection: it closes one that says nothing after 6 minutes, unless it is configured
 * otherwise.
 */
const DUPLICATES_MS = 10 * 60_000;
const NANOSECONDS = 1e6;
const STREAM_NOT_FOUND = 10059;

/** What tells one stream from another of the same name that was made later. */
export interface AuditStream {
  readonly name: string;
  readonly created: string;
  /** The largest message that it takes; null for what the server takes. */
  readonly maxBytes: number | null;
  /** The server that leads it; null without a cluster. */
  readonly leader: string | null;
}

type Manager = Pick<FleetSession, 'jsm'>;

/**
 * The stream of the team, made where it is missing. Of one that is there, only what protects records is changed: the rest
 * stays as its administrators have made it.
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

/** On disk, and a full one refuses: nothing that was acknowledged makes room for something new. */
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

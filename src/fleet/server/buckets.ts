import type { StreamConfig } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { FleetSettings } from '../settings.ts';
import { teamNames } from '../subjects.ts';
import type { FleetSession } from './connection.ts';
import { loadNats } from './nats.ts';
import { type Protection, protectStream } from './protect-stream.ts';

type Session = Pick<FleetSession, 'js' | 'jsm'>;
type Team = Pick<FleetSettings, 'team' | 'replicas'>;

/** The key of the policy. */
export const POLICY_KEY = 'current';
/**
 * All versions are kept: any client can make the server write its confirmations there, and those must not push out a
 * version.
 */
const ALL_VERSIONS = -1;
/** Limit of the key-value client. The stream is configured afterwards. */
const VERSIONS_AT_FIRST = 64;
/** For the same reason: readers take the newest signed report. */
const REPORTS = 8;
/** A machine may write its own report often, but not make it this large. */
const LARGEST_REPORT = 64 << 10;

interface OpenBucket {
  readonly bucket: KV;
  readonly protection: Protection;
}

/** Bucket of the team's policy, created if missing. */
export async function openPolicyBucket(session: Session, { team, replicas }: Team): Promise<KV> {
  return (await preparePolicyBucket(session, { team, replicas })).bucket;
}

/** Bucket of each machine's report, created if missing. */
export async function openMachinesBucket(session: Session, team: Team): Promise<KV> {
  return (await prepareMachinesBucket(session, team)).bucket;
}

export function preparePolicyBucket(session: Session, { team, replicas }: Team): Promise<OpenBucket> {
  const options = { history: VERSIONS_AT_FIRST, replicas };
  return prepare(session, teamNames(team).policyBucket, options, { max_msgs_per_subject: ALL_VERSIONS });
}

export function prepareMachinesBucket(session: Session, { team, replicas }: Team): Promise<OpenBucket> {
  const options = { history: REPORTS, replicas, maxValueSize: LARGEST_REPORT };
  const limits = { max_msg_size: LARGEST_REPORT, max_msgs_per_subject: REPORTS };
  return prepare(session, teamNames(team).machinesBucket, options, limits);
}

async function prepare(
  { js, jsm }: Session,
  name: string,
  options: { readonly history: number; readonly replicas: number; readonly maxValueSize?: number },
  limits: Partial<StreamConfig>,
): Promise<OpenBucket> {
  const { Kvm } = (await loadNats()).kv;
  const bucket = await new Kvm(js).create(name, options);
  const stream = `KV_${name}`;
  return { bucket, protection: await protectStream({ jsm }, await jsm.streams.info(stream), limits) };
}

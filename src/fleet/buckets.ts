import type { KV } from '@nats-io/kv';
import type { FleetSession } from './connection.ts';
import { loadNats } from './nats.ts';
import type { FleetSettings } from './settings.ts';
import { teamNames } from './subjects.ts';

type Session = Pick<FleetSession, 'js'>;
type Team = Pick<FleetSettings, 'team' | 'replicas'>;

/** The key under which the policy is. */
export const POLICY_KEY = 'current';
/** Versions that the server keeps, to go back to. */
const VERSIONS = 20;

/** Where the policy of the team is, made where it is missing. */
export async function openPolicyBucket({ js }: Session, { team, replicas }: Team): Promise<KV> {
  const { Kvm } = (await loadNats()).kv;
  return new Kvm(js).create(teamNames(team).policyBucket, { history: VERSIONS, replicas });
}

/** Where each machine says what it has in force, made where it is missing. */
export async function openMachinesBucket({ js }: Session, { team, replicas }: Team): Promise<KV> {
  const { Kvm } = (await loadNats()).kv;
  return new Kvm(js).create(teamNames(team).machinesBucket, { history: 1, replicas });
}

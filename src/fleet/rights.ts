import { ALL } from './approvals/messenger.ts';
import { POLICY_KEY } from './server/buckets.ts';
import { inboxOf, outboxConsumer, teamNames } from './subjects.ts';

/** Roles of a login on the server. Several can be combined. */
export const ROLES = ['machine', 'approver', 'viewer', 'server', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

/**
 * Subjects that a login may use. Only the archive server may request messages (`MSG.NEXT`); push-consumer.ts explains
 * what a client can do with that.
 */
export interface Rights {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** Exactly the subjects that Hookline uses in these roles on this machine. */
export function rightsOf(team: string, machine: string, roles: readonly Role[]): Rights {
  const all = roles.map((role) => OF_ROLE[role](team, machine));
  return {
    publish: [...new Set([...CONNECT, ...all.flatMap(({ publish }) => publish)])],
    subscribe: [...new Set([`${inboxOf(machine)}.>`, ...all.flatMap(({ subscribe }) => subscribe)])],
  };
}

const CONNECT: readonly string[] = ['$JS.API.INFO'];

const OF_ROLE: Readonly<Record<Role, (team: string, machine: string) => Rights>> = {
  machine: machineRights,
  approver: (team, machine) =>
    joined(machineRights(team, machine), [teamNames(team).approval(machine, 'answer', '*')]),
  viewer: (team, machine) => joined(machineRights(team, machine), viewerSubjects(team)),
  server: (team) => ({
    publish: [
      ...viewerSubjects(team),
      `$JS.API.CONSUMER.MSG.NEXT.${teamNames(team).auditStream}.*`,
      `$JS.ACK.${teamNames(team).auditStream}.>`,
    ],
    subscribe: [],
  }),
  administrator: (team, machine) =>
    joined(machineRights(team, machine), [...viewerSubjects(team), ...administratorSubjects(team)]),
};

function joined({ publish, subscribe }: Rights, more: readonly string[]): Rights {
  return { publish: [...publish, ...more], subscribe };
}

/** Messages of a machine about approvals. Only an approver answers. */
const TOLD = ['hello', 'who', 'here', 'pending', 'ended', 'verdict'] as const;

function machineRights(team: string, machine: string): Rights {
  const names = teamNames(team);
  const { auditStream, machinesBucket, policyBucket } = names;
  const consumer = outboxConsumer(machine);
  return {
    publish: [
      names.events(undefined, undefined, machine),
      names.chain(machine, 'checkpoint'),
      names.chain(machine, 'gap'),
      ...TOLD.map((kind) => names.approval(machine, kind, '*')),
      `$KV.${machinesBucket}.${machine}`,
      ...[auditStream, `KV_${machinesBucket}`, `KV_${policyBucket}`].map(
        (one) => `$JS.API.STREAM.INFO.${one}`,
      ),
      // Limited by name and filter: it reads what it sent itself, and touches no other consumer.
      `$JS.API.CONSUMER.CREATE.${auditStream}.${consumer}.${names.auditOf(machine)}`,
      ...['INFO', 'DELETE'].map((what) => `$JS.API.CONSUMER.${what}.${auditStream}.${consumer}`),
      `$JS.FC.${auditStream}.${consumer}.>`,
      `$JS.API.CONSUMER.CREATE.KV_${policyBucket}.*.$KV.${policyBucket}.${POLICY_KEY}`,
      `$JS.API.CONSUMER.INFO.KV_${policyBucket}.*`,
      `$JS.API.CONSUMER.DELETE.KV_${policyBucket}.*`,
      `$JS.FC.KV_${policyBucket}.>`,
    ],
    subscribe: [names.approval('*', '*', machine), names.approval('*', '*', ALL)],
  };
}

/** Reads all records and the reports of machines. */
function viewerSubjects(team: string): readonly string[] {
  const { auditStream, audit, machinesBucket } = teamNames(team);
  const reading = (stream: string, filter: string) => [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.*.${filter}`,
    ...['INFO', 'DELETE'].map((what) => `$JS.API.CONSUMER.${what}.${stream}.*`),
    `$JS.FC.${stream}.>`,
  ];
  return [...reading(auditStream, audit), ...reading(`KV_${machinesBucket}`, `$KV.${machinesBucket}.>`)];
}

/** Publishes rules, and creates the streams. */
function administratorSubjects(team: string): readonly string[] {
  const { auditStream, machinesBucket, policyBucket } = teamNames(team);
  return [
    `$KV.${policyBucket}.${POLICY_KEY}`,
    ...[auditStream, `KV_${machinesBucket}`, `KV_${policyBucket}`].flatMap((stream) => [
      `$JS.API.STREAM.CREATE.${stream}`,
      `$JS.API.STREAM.UPDATE.${stream}`,
    ]),
  ];
}

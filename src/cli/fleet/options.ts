import { flag, value } from '../command.ts';
import { sinceOption } from '../values.ts';
import { DATABASE, DATABASE_OPTIONS } from './database.ts';
import { FILTER_OPTIONS } from './filters.ts';

/** The subcommands of `fleet`, in the order in which users need them. */
export const FLEET_COMMANDS = [
  ['join URL', 'join the fleet on this server; separate servers of a cluster with commas'],
  ['leave', 'stop sharing history'],
  ['status', 'show the connection and what is still to be sent (default)'],
  ['machines', 'list machines, their guarded agents and their policy'],
  ['events [WORDS]', 'show recent calls on all machines, from the stream'],
  ['verify [MACHINE]', 'check the stream for tampering, or the archive with --database'],
  ['approvers [add|remove MACHINE]', 'manage the machines that can answer approvals from here'],
  ['rights ROLES [MACHINE]', 'print a server login: machine, approver, viewer, server or administrator'],
  ['admin [init|streams]', 'create or show the policy key; protect the streams and show their senders'],
  ['trust KEY', 'apply only policies signed by this key'],
  ['publish DIR', 'sign a directory of rule files and publish it to all machines or some'],
  ['rollout', 'extend the published policy to more machines, or enforce it'],
  ['rollback', 'restore an earlier version on all machines'],
  ['policy', 'show the active policy, here and on each machine'],
  ['server', 'run the archive in PostgreSQL until Ctrl-C'],
  ['search [WORDS]', 'search the archive'],
] as const;

const JOIN = 'join';
const RULES = 'publish and rollout';
const APPROVERS = 'approvers add';

export const FLEET_OPTIONS = {
  team: value('NAME', 'Name of the fleet (default: `default`).', { of: JOIN, also: 'rights' }),
  name: value('NAME', 'Name of this machine. With approvers add: local name of that machine.', {
    of: JOIN,
    also: 'approvers',
  }),
  creds: value('FILE', 'Log in with a credentials file.', { of: JOIN }),
  token: value('TOKEN|-', 'Log in with a token; - reads it from stdin. Prefer HOOKLINE_FLEET_TOKEN.', {
    of: JOIN,
  }),
  user: value('NAME', 'Log in as this user, with the token as password. With rights: the user name.', {
    of: JOIN,
    also: 'rights',
  }),
  format: value('config|nsc', 'Print an entry for nats-server.conf or an nsc command.', { of: 'rights' }),
  ca: value('FILE', 'Trust only certificates of this authority; also for --database.', {
    of: JOIN,
    also: DATABASE,
  }),
  plaintext: flag('Connect to another machine without TLS; also for --database.', {
    of: JOIN,
    also: DATABASE,
  }),
  replicas: value(
    'N',
    'Number of servers that keep each event if this machine creates the stream (default: 1).',
    {
      of: JOIN,
    },
  ),
  'with-history': flag('Also send earlier history.', { of: JOIN }),
  offline: flag("Don't test the connection.", { of: JOIN }),
  'policy-key': value('KEY', 'Trust this policy key, like `fleet trust`.', {
    of: JOIN,
  }),
  group: value(
    'NAMES',
    'Groups of this machine. With publish and rollout: only machines in one of these groups.',
    { of: JOIN, also: RULES },
  ),
  repository: value('PATTERNS', 'Only repositories with this remote, such as github.com/acme/*.', {
    of: RULES,
  }),
  agent: value('NAMES', 'Only these agents. With events and search: only this one.', {
    of: RULES,
    also: 'events and search',
  }),
  percent: value('N', 'Apply to this share of the machines; the others keep the previous policy.', {
    of: RULES,
  }),
  observe: flag('Only record what the new policy would decide; the previous one decides.', { of: 'publish' }),
  enforce: flag('Switch the policy from observe to enforce.', { of: 'rollout' }),
  to: value('VERSION', 'Restore this version.', { of: 'rollback' }),
  'only-deny': flag('The machine can deny but not allow.', { of: APPROVERS }),
  once: flag('The machine can allow a pending call once (default).', { of: APPROVERS }),
  ...FILTER_OPTIONS,
  since: { ...sinceOption('all'), of: 'search' },
  ...DATABASE_OPTIONS,
  json: flag('As one JSON object; for approvers and search, one per line.'),
} as const;

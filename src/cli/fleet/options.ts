import { flag, value } from '../command.ts';
import { sinceOption } from '../values.ts';
import { DATABASE, DATABASE_OPTIONS } from './database.ts';
import { FILTER_OPTIONS } from './filters.ts';

/** What can be done with a fleet, in the order in which somebody needs it. */
export const FLEET_COMMANDS = [
  ['join URL', 'join the fleet on this server; several of one cluster with commas'],
  ['leave', 'what is recorded stays here again'],
  ['status', 'is this machine connected, and how much waits to be sent? Also without a command'],
  ['machines', 'which machines there are, which agents they guard, and with which rules'],
  ['events [WORDS]', 'what agents did lately on all machines, from the stream'],
  ['verify [MACHINE]', 'was anything changed or removed in the stream, or with --database there?'],
  ['approvers [add|remove MACHINE]', 'the machines on which what waits here may be answered'],
  ['rights ROLES [MACHINE]', 'print a server login: machine, approver, viewer, server or administrator'],
  [
    'admin [init|streams]',
    'make a key to sign rules with or show it; protect the streams and show who fills them',
  ],
  ['trust KEY', 'apply the rules that this key signs, and no others'],
  ['publish FOLDER', 'sign the rule files of a folder, for all machines or some'],
  ['rollout', 'the published rules on more machines, or no longer only observing'],
  ['rollback', 'back to the rules of an earlier version, on all machines'],
  ['policy', 'which rules are in force, here and on each machine'],
  ['server', 'keep the record of all machines in PostgreSQL, until Ctrl-C'],
  ['search [WORDS]', 'what agents did at any time, from that PostgreSQL'],
] as const;

const JOIN = 'join';
const RULES = 'publish and rollout';
const APPROVERS = 'approvers add';

export const FLEET_OPTIONS = {
  team: value('NAME', 'The team; `default` where none is given.', { of: JOIN, also: 'rights' }),
  name: value('NAME', 'What this machine is called. With approvers add: what that one is called here.', {
    of: JOIN,
    also: 'approvers',
  }),
  creds: value('FILE', 'Log in with a credentials file.', { of: JOIN }),
  token: value('TOKEN|-', 'Log in with a token; - reads it from stdin. Better: HOOKLINE_FLEET_TOKEN.', {
    of: JOIN,
  }),
  user: value('NAME', 'The token is the password of this user. With rights: the name of the user.', {
    of: JOIN,
    also: 'rights',
  }),
  format: value('config|nsc', 'An entry for nats-server.conf, or a command of nsc.', { of: 'rights' }),
  ca: value('FILE', 'Trust certificates of this authority only; also those of a --database.', {
    of: JOIN,
    also: DATABASE,
  }),
  plaintext: flag('Talk to another machine without TLS; also to a --database.', { of: JOIN, also: DATABASE }),
  replicas: value('N', 'How many servers keep each record, where this machine makes the stream (1).', {
    of: JOIN,
  }),
  'with-history': flag('Send what was recorded before, too.', { of: JOIN }),
  offline: flag('Do not try the server now.', { of: JOIN }),
  'policy-key': value('KEY', 'Apply rules that this key has signed, as `fleet trust` does later.', {
    of: JOIN,
  }),
  group: value(
    'NAMES',
    'Groups of this machine. With publish and rollout: only for machines in one of these.',
    { of: JOIN, also: RULES },
  ),
  repository: value('PATTERNS', 'Only in repositories with such a remote, as in github.com/acme/*.', {
    of: RULES,
  }),
  agent: value('NAMES', 'Only for these agents. With events and search: only of this one.', {
    of: RULES,
    also: 'events and search',
  }),
  percent: value('N', 'On this share of the machines; the others keep the previous rules.', { of: RULES }),
  observe: flag('The new rules only say what they would do; the previous ones decide.', { of: 'publish' }),
  enforce: flag('Rules that only observe decide from now on.', { of: 'rollout' }),
  to: value('VERSION', 'Back to the rules of this version.', { of: 'rollback' }),
  'only-deny': flag('It may deny, and allow nothing.', { of: APPROVERS }),
  once: flag('It may allow what was asked, this once: the default.', { of: APPROVERS }),
  ...FILTER_OPTIONS,
  since: { ...sinceOption('all'), of: 'search' },
  ...DATABASE_OPTIONS,
  json: flag('As one JSON object; approvers and search: one a line.'),
} as const;

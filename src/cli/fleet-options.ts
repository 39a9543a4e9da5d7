import { DATABASE_OPTIONS } from './fleet-database.ts';
import { FILTER_OPTIONS } from './fleet-filters.ts';
import { sinceOption } from './values.ts';

/** What can be done with a fleet, in the order in which somebody needs it. */
export const FLEET_COMMANDS = [
  ['join URL', 'join the fleet on this server; several of one cluster with commas'],
  ['leave', 'what is recorded stays here again'],
  ['status', 'is this machine connected, and how much waits to be sent? Also without a command'],
  ['machines', 'which machines there are, which agents they guard, and with which rules'],
  ['events [WORDS]', 'what agents did lately on all machines, from the stream'],
  ['verify [MACHINE]', 'was anything changed or removed in the stream, or with --database there?'],
  ['approvers [add|remove MACHINE]', 'the machines on which what waits here may be answered'],
  ['admin [init]', 'make a key to sign rules with, or show what machines have to trust'],
  ['trust KEY', 'apply the rules that this key signs, and no others'],
  ['publish FOLDER', 'sign the rule files of a folder, for all machines or some'],
  ['rollout', 'the published rules on more machines, or no longer only observing'],
  ['rollback', 'back to the rules of an earlier version, on all machines'],
  ['policy', 'which rules are in force, here and on each machine'],
  ['server', 'keep the record of all machines in PostgreSQL, until Ctrl-C'],
  ['search [WORDS]', 'what agents did at any time, from that PostgreSQL'],
] as const;

const JOIN = 'join';
const RULES = 'publish, rollout and rollback';
const APPROVERS = 'approvers add';

export const FLEET_OPTIONS = {
  team: { of: JOIN, type: 'string', value: 'NAME', description: 'The team; `default` where none is given.' },
  name: {
    of: JOIN,
    type: 'string',
    value: 'NAME',
    description: 'What this machine is called. With approvers add: what that one is called here.',
  },
  creds: { of: JOIN, type: 'string', value: 'FILE', description: 'Log in with a credentials file.' },
  token: {
    of: JOIN,
    type: 'string',
    value: 'TOKEN|-',
    description: 'Log in with a token; - reads it from stdin. Better: HOOKLINE_FLEET_TOKEN.',
  },
  user: { of: JOIN, type: 'string', value: 'NAME', description: 'The token is the password of this user.' },
  ca: {
    of: JOIN,
    type: 'string',
    value: 'FILE',
    description: 'Trust certificates of this authority only; also those of a --database.',
  },
  plaintext: {
    of: JOIN,
    type: 'boolean',
    description: 'Talk to another machine without TLS; also to a --database.',
  },
  replicas: {
    of: JOIN,
    type: 'string',
    value: 'N',
    description: 'How many servers keep each record, where this machine makes the stream (1).',
  },
  'with-history': { of: JOIN, type: 'boolean', description: 'Send what was recorded before, too.' },
  offline: { of: JOIN, type: 'boolean', description: 'Do not try the server now.' },
  'policy-key': {
    of: JOIN,
    type: 'string',
    value: 'KEY',
    description: 'Apply rules that this key has signed, as `fleet trust` does later.',
  },
  group: {
    of: JOIN,
    type: 'string',
    value: 'NAMES',
    description: 'Groups of this machine. With publish and rollout: only for machines in one of these.',
  },
  repository: {
    of: RULES,
    type: 'string',
    value: 'PATTERNS',
    description: 'Only in repositories with such a remote, as in github.com/acme/*.',
  },
  agent: {
    of: RULES,
    type: 'string',
    value: 'NAMES',
    description: 'Only for these agents. With events and search: only of this one.',
  },
  percent: {
    of: RULES,
    type: 'string',
    value: 'N',
    description: 'On this share of the machines; the others keep the previous rules.',
  },
  observe: {
    of: RULES,
    type: 'boolean',
    description: 'With publish: the new rules only say what they would do; the previous ones decide.',
  },
  enforce: {
    of: RULES,
    type: 'boolean',
    description: 'With rollout: rules that only observe decide from now on.',
  },
  to: {
    of: RULES,
    type: 'string',
    value: 'VERSION',
    description: 'With rollback: back to the rules of this version.',
  },
  'only-deny': { of: APPROVERS, type: 'boolean', description: 'It may deny, and allow nothing.' },
  once: {
    of: APPROVERS,
    type: 'boolean',
    description: 'It may allow what was asked, this once: the default.',
  },
  ...FILTER_OPTIONS,
  since: { ...sinceOption('all'), of: 'search' },
  ...DATABASE_OPTIONS,
  json: { type: 'boolean', description: 'As one JSON object; approvers and search: one a line.' },
} as const;

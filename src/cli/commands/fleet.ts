import { connect } from '../../client/client.ts';
import { type HomePaths, homeFolder, homePaths } from '../../home/paths.ts';
import type { PolicyDocument } from '../../policy/document.ts';
import { defineCommand, usage } from '../command.ts';
import { adminKey, changePolicy, trustKey } from '../fleet-admin.ts';
import { fleetApprovers } from '../fleet-approvers.ts';
import { DATABASE_OPTIONS } from '../fleet-database.ts';
import { fleetEvents } from '../fleet-events.ts';
import { FILTER_OPTIONS } from '../fleet-filters.ts';
import { joinFleet } from '../fleet-join.ts';
import { fleetMachines } from '../fleet-machines.ts';
import { fleetPolicy, policyLines, setLine } from '../fleet-policy.ts';
import { fleetStatus, type ShownStatus, settledStatus, statusLines } from '../fleet-status.ts';
import { verifyFleet } from '../fleet-verify.ts';
import { sinceOption } from '../values.ts';

export default defineCommand({
  name: 'fleet',
  summary:
    'Machines of a team on one NATS server with JetStream: what every machine records goes to one stream there, and rules that an administrator signs apply on all of them. Each machine keeps deciding by itself when the server is gone.',
  words:
    '[join|leave|status|machines|events|verify|approvers|policy|trust|admin|publish|rollout|rollback|server|search] [url|text|key|folder|add|remove|list] [machine]',
  options: {
    team: { type: 'string', value: 'NAME', description: 'With join: the team; `default` without it.' },
    name: { type: 'string', value: 'NAME', description: 'With join: what this machine is called.' },
    creds: { type: 'string', value: 'FILE', description: 'With join: log in with a credentials file.' },
    token: {
      type: 'string',
      value: 'TOKEN|-',
      description: 'With join: log in with a token; - reads it from stdin. Better: HOOKLINE_FLEET_TOKEN.',
    },
    user: {
      type: 'string',
      value: 'NAME',
      description: 'With join: the token is the password of this user.',
    },
    ca: {
      type: 'string',
      value: 'FILE',
      description: 'With join, server, search and verify: trust certificates of this authority only.',
    },
    plaintext: {
      type: 'boolean',
      description: 'With join, server, search and verify: talk to another machine without TLS.',
    },
    replicas: {
      type: 'string',
      value: 'N',
      description:
        'With join: how many servers keep each record, where this machine makes the stream; 1 without it.',
    },
    'with-history': {
      type: 'boolean',
      description: 'With join: send what was recorded before, too.',
    },
    offline: { type: 'boolean', description: 'With join: do not try the server now.' },
    'policy-key': {
      type: 'string',
      value: 'KEY',
      description: 'With join: apply rules that this key has signed, as `fleet trust` does later.',
    },
    group: {
      type: 'string',
      value: 'NAMES',
      description: 'With join: groups of this machine. With publish and rollout: only for these groups.',
    },
    repository: {
      type: 'string',
      value: 'PATTERNS',
      description:
        'With publish and rollout: only in repositories with such a remote, as in github.com/acme/*.',
    },
    agent: {
      type: 'string',
      value: 'NAMES',
      description:
        'With publish and rollout: only for these agents. With events and search: only of this one.',
    },
    percent: {
      type: 'string',
      value: 'N',
      description:
        'With publish and rollout: on so many of the machines; the others keep the rules of before.',
    },
    observe: {
      type: 'boolean',
      description: 'With publish: the new rules only say what they would do; those of before decide.',
    },
    enforce: { type: 'boolean', description: 'With rollout: rules that only observe decide from now on.' },
    to: {
      type: 'string',
      value: 'VERSION',
      description: 'With rollback: back to the rules of this version.',
    },
    'only-deny': { type: 'boolean', description: 'With approvers add: it may deny, and allow nothing.' },
    once: {
      type: 'boolean',
      description: 'With approvers add: it may allow what was asked, this once. So without it.',
    },
    ...DATABASE_OPTIONS,
    ...FILTER_OPTIONS,
    since: sinceOption('with search: all'),
    json: { type: 'boolean', description: 'As one JSON object; approvers and search: one a line.' },
  },
  examples: [
    ['hookline fleet join tls://nats.example.com --creds me.creds', 'log in with a credentials file'],
    ['hookline fleet join nats://127.0.0.1:4222 --token - < token', 'a token, not seen by others'],
    [
      'hookline fleet join tls://a,tls://b,tls://c --replicas 3',
      'a cluster that survives one of its servers',
    ],
    ['hookline fleet status', 'connected? how much waits to be sent?'],
    ['hookline fleet machines', 'which machines guard which agents, with which rules'],
    ['hookline fleet events "git push" --decision deny', 'what was denied on all machines'],
    ['hookline fleet verify', 'was anything changed or removed in the stream?'],
    ['hookline fleet approvers add laptop', 'people at that machine may answer what waits here'],
    ['hookline fleet leave', 'what is recorded stays here again'],
    ['hookline fleet admin init', 'a key to sign rules with, and what machines have to trust'],
    ['hookline fleet publish rules --percent 10', 'signed rules, on a tenth of the machines first'],
    ['hookline fleet rollout --percent 100', 'and then on all of them'],
    ['hookline fleet rollback', 'the rules of before, on all machines'],
    ['hookline fleet policy', 'which rules are in force, here and on each machine'],
    [
      'hookline fleet server --database postgres://db.example.com/hookline',
      'keep the record of all machines',
    ],
    ["hookline fleet search 'force push' --decision deny --since 90d", 'and find something in it'],
  ],
  exitCodes: [
    ['0', 'done; with verify: all is as it was recorded'],
    ['1', 'with verify: something is not'],
  ],
  access: (_, [what = '', change = 'list']) =>
    FOR_PEOPLE.includes(what) || (what === 'approvers' && change !== 'list') ? 'fleet' : null,
  async run(options, words, by) {
    const [what, url, machine] = words;
    const paths = homePaths(homeFolder());
    const json = options.json ?? false;
    if (what !== 'search' && what !== 'events' && words.length > 3)
      throw usage('fleet', `"${words[3]}" is one word too many.`);
    switch (what) {
      case 'join':
        if (url === undefined) throw usage('fleet', 'Which server? Give its address.');
        if (machine !== undefined) throw usage('fleet', `"${machine}" is one word too many.`);
        await joinFleet(paths, url, options, by);
        return show(paths, json, await settledStatus(paths));
      case 'leave':
        return leave(paths, by, json);
      case 'machines':
        return fleetMachines(paths, json);
      case 'events':
        return fleetEvents(paths, words.slice(1).join(' '), options);
      case 'verify':
        return verifyFleet(paths, url, json, options);
      case 'server':
        return (await import('../fleet-server.ts')).runFleetServer(paths, options);
      case 'search':
        return (await import('../fleet-search.ts')).searchFleet(words.slice(1).join(' '), options);
      case 'approvers':
        return fleetApprovers(paths, [url, machine], options, by);
      case 'policy':
        return print(json, await fleetPolicy(paths), policyLines);
      case 'admin':
        return print(json, adminKey(paths, url), adminLines);
      case 'trust':
        await trustKey(paths, url, by);
        return show(paths, json, await settledStatus(paths));
      case 'publish':
      case 'rollout':
      case 'rollback':
        return print(json, await changePolicy(paths, what, url, options, by), publishedLines);
      case undefined:
      case 'status':
        return show(paths, json);
      default:
        throw usage(
          'fleet',
          'Join, leave, status, machines, events, verify, approvers, policy, trust, admin, publish, rollout, rollback, server or search?',
        );
    }
  },
});

/** What changes which rules count, or who may say so. */
const FOR_PEOPLE = ['join', 'leave', 'trust', 'admin', 'publish', 'rollout', 'rollback'];

function print<T>(json: boolean, value: T, lines: (value: T) => readonly string[]): number {
  console.log(json ? JSON.stringify(value) : lines(value).join('\n'));
  return 0;
}

function adminLines({ key, made }: ReturnType<typeof adminKey>): readonly string[] {
  return [
    made
      ? 'Made a key to sign rules with. It is in the secrets of your home: keep a copy.'
      : 'Your key signs rules.',
    'On each machine, here too, run:',
    `  hookline fleet trust ${key}`,
  ];
}

function publishedLines({ version, restores, sets }: PolicyDocument): readonly string[] {
  const what = restores === null ? '' : `, the rules of version ${restores}`;
  return [
    `Published version ${version}${what}.`,
    ...sets.map((set) => `  ${setLine(set)}`),
    'Machines apply it with the next call: `hookline fleet policy` shows which have it.',
  ];
}

async function show(paths: HomePaths, json: boolean, known?: ShownStatus): Promise<number> {
  const status = known ?? (await fleetStatus(paths));
  console.log(json ? JSON.stringify(status) : statusLines(status).join('\n'));
  return 0;
}

async function leave(paths: HomePaths, by: string, json: boolean): Promise<number> {
  const { readFleetSettings, removeFleetSettings } = await import('../../fleet/settings.ts');
  const { recordChange } = await import('../../client/record-change.ts');
  const team = settingsTeam(() => readFleetSettings(paths)?.team);
  removeFleetSettings(paths);
  await (await connect(paths))?.post('/api/fleet/reload');
  if (team !== null) await recordChange(paths, 'fleet', by, `left the fleet ${team}`);
  if (json) console.log(JSON.stringify({ left: team }));
  else
    console.log(
      team === null
        ? 'This machine is in no fleet.'
        : `Left the fleet ${team}. What was sent stays on its server.`,
    );
  return 0;
}

/** Also settings that cannot be read can be left. */
function settingsTeam(read: () => string | undefined): string | null {
  try {
    return read() ?? null;
  } catch {
    return 'of unreadable settings';
  }
}

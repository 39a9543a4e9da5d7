import { connect } from '../../client/client.ts';
import type { PolicyDocument } from '../../fleet/policy/document.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import { defineCommand, unknownWord, usage } from '../command.ts';
import { adminKey, changePolicy, trustKey } from './admin.ts';
import { fleetApprovers } from './approvers.ts';
import { fleetEvents } from './events.ts';
import { joinFleet } from './join.ts';
import { fleetMachines } from './machines.ts';
import { FLEET_COMMANDS, FLEET_OPTIONS } from './options.ts';
import { fleetPolicy, policyLines, setLine } from './policy.ts';
import { fleetRights } from './rights.ts';
import { fleetStatus, type ShownStatus, settledStatus, statusLines } from './status.ts';
import { verifyFleet } from './verify.ts';

const NAMES: readonly string[] = FLEET_COMMANDS.map(([words]) => words.split(' ')[0] ?? '');

export default defineCommand({
  name: 'fleet',
  summary:
    'Connect machines through a NATS server with JetStream: shared history, and a signed policy for all of them. Each machine keeps deciding on its own when the server is down.',
  words: `[${NAMES.join('|')}] [argument…]`,
  commands: FLEET_COMMANDS,
  options: FLEET_OPTIONS,
  examples: [
    ['hookline fleet join tls://nats.example.com --creds me.creds', 'log in with a credentials file'],
    [
      'hookline fleet join nats://127.0.0.1:4222 --token - < token',
      'log in with a token, hidden from other users',
    ],
    [
      'hookline fleet join tls://a,tls://b,tls://c --replicas 3',
      'a cluster that survives the loss of a server',
    ],
    ['hookline fleet events "git push" --decision deny', 'calls denied on any machine'],
    ['hookline fleet approvers add laptop', 'let that machine answer approvals here'],
    ['hookline fleet rights machine 6f1c…', 'a server login for that machine'],
    ['hookline fleet admin init', 'create the policy key and show what machines must trust'],
    ['hookline fleet publish rules --percent 10', 'publish a signed policy, to 10% of the machines first'],
    ['hookline fleet rollout --percent 100', 'then to all of them'],
    ['hookline fleet rollback', 'restore the previous policy on all machines'],
    [
      'hookline fleet server --database postgres://db.example.com/hookline',
      'run the archive of all machines',
    ],
    ["hookline fleet search 'force push' --decision deny --since 90d", 'search the archive'],
  ],
  exitCodes: [
    ['0', 'done; with verify: nothing was changed'],
    ['1', 'with verify: tampering or gaps were found'],
  ],
  access: (_, [what = '', change = 'list']) =>
    FOR_PEOPLE.includes(what) || (what === 'approvers' && change !== 'list') ? 'fleet' : null,
  async run(options, words, by) {
    const [what, url, machine] = words;
    const paths = homePaths();
    const json = options.json ?? false;
    assertNoMore(words);
    switch (what) {
      case 'join':
        if (url === undefined) throw usage('fleet', 'Missing server address.');
        if (machine !== undefined) throw usage('fleet', `Unexpected argument "${machine}".`);
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
        return (await import('./server.ts')).runFleetServer(paths, options);
      case 'search':
        return (await import('./search.ts')).searchFleet(words.slice(1).join(' '), options);
      case 'approvers':
        return fleetApprovers(paths, [url, machine], options, by);
      case 'policy':
        return print(json, await fleetPolicy(paths), policyLines);
      case 'rights':
        return fleetRights(paths, [url, machine], options);
      case 'admin':
        if (url === 'streams') {
          const { prepareStreams, streamLines } = await import('./streams.ts');
          return print(json, await prepareStreams(paths), streamLines);
        }
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
        throw unknownWord('fleet', what, NAMES);
    }
  },
});

/** Rejects extra arguments, so that `rollback 3` can't silently restore another version. */
function assertNoMore(words: readonly string[]): void {
  const [known] = FLEET_COMMANDS.map(([one]) => one.split(' ')).filter(([name]) => name === words[0]);
  const extra = known?.includes('[WORDS]') ? undefined : words[known?.length ?? 1];
  if (extra !== undefined) throw usage('fleet', `Unexpected argument "${extra}".`);
}

/** Changes of the active policy, or of who may publish one. */
const FOR_PEOPLE = ['join', 'leave', 'trust', 'admin', 'publish', 'rollout', 'rollback'];

function print<T>(json: boolean, value: T, lines: (value: T) => readonly string[]): number {
  console.log(json ? JSON.stringify(value) : lines(value).join('\n'));
  return 0;
}

function adminLines({ key, made }: ReturnType<typeof adminKey>): readonly string[] {
  return [
    made ? 'Created a policy key in the secrets of your home. Keep a copy.' : 'You have a policy key.',
    'Run this on each machine, including this one:',
    `  hookline fleet trust ${key}`,
  ];
}

function publishedLines({ version, restores, sets }: PolicyDocument): readonly string[] {
  const what = restores === null ? '' : `, same rules as version ${restores}`;
  return [
    `Published version ${version}${what}.`,
    ...sets.map((set) => `  ${setLine(set)}`),
    'Machines apply it on the next call. Run `hookline fleet policy` to see which have it.',
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
        ? 'This machine is not in a fleet.'
        : `Left the fleet ${team}. Data that was sent stays on its server.`,
    );
  return 0;
}

/** A machine with unreadable settings can leave too. */
function settingsTeam(read: () => string | undefined): string | null {
  try {
    return read() ?? null;
  } catch {
    return 'of unreadable settings';
  }
}

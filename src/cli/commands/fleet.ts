import { connect } from '../../client/client.ts';
import { type HomePaths, homeFolder, homePaths } from '../../home/paths.ts';
import { defineCommand, usage } from '../command.ts';
import { fleetApprovers } from '../fleet-approvers.ts';
import { joinFleet } from '../fleet-join.ts';
import { fleetStatus, statusLines } from '../fleet-status.ts';
import { verifyFleet } from '../fleet-verify.ts';

export default defineCommand({
  name: 'fleet',
  summary:
    'Machines of a team on one NATS server with JetStream: what every machine records goes to one stream there. Each machine keeps deciding by itself when the server is gone.',
  words: '[join|leave|status|verify|approvers] [url|machine|add|remove|list] [machine]',
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
      description: 'With join: trust certificates of this authority only.',
    },
    plaintext: { type: 'boolean', description: 'With join: talk to another machine without TLS.' },
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
    'only-deny': { type: 'boolean', description: 'With approvers add: it may deny, and allow nothing.' },
    once: {
      type: 'boolean',
      description: 'With approvers add: it may allow what was asked, this once. So without it.',
    },
    json: { type: 'boolean', description: 'As one JSON object; approvers: one a line.' },
  },
  examples: [
    ['hookline fleet join tls://nats.example.com --creds me.creds', 'log in with a credentials file'],
    ['hookline fleet join nats://127.0.0.1:4222 --token - < token', 'a token, not seen by others'],
    [
      'hookline fleet join tls://a,tls://b,tls://c --replicas 3',
      'a cluster that survives one of its servers',
    ],
    ['hookline fleet status', 'connected? how much waits to be sent?'],
    ['hookline fleet verify', 'was anything changed or removed in the stream?'],
    ['hookline fleet approvers add laptop', 'people at that machine may answer what waits here'],
    ['hookline fleet leave', 'what is recorded stays here again'],
  ],
  exitCodes: [
    ['0', 'done; with verify: all is as it was recorded'],
    ['1', 'with verify: something is not'],
  ],
  access: (_, [what, change]) =>
    what === 'join' || what === 'leave' || (what === 'approvers' && change !== undefined && change !== 'list')
      ? 'fleet'
      : null,
  async run(options, [what, url, machine], by) {
    const paths = homePaths(homeFolder());
    switch (what) {
      case 'join':
        if (url === undefined) throw usage('fleet', 'Which server? Give its address.');
        await joinFleet(paths, url, options, by);
        return show(paths, options.json ?? false);
      case 'leave':
        return leave(paths, by, options.json ?? false);
      case 'verify':
        return verifyFleet(paths, url, options.json ?? false);
      case 'approvers':
        return fleetApprovers(paths, [url, machine], options, by);
      case undefined:
      case 'status':
        return show(paths, options.json ?? false);
      default:
        throw usage('fleet', 'Join, leave, status, verify or approvers?');
    }
  },
});

async function show(paths: HomePaths, json: boolean): Promise<number> {
  const status = await fleetStatus(paths);
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

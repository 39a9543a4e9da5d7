import { text } from 'node:stream/consumers';
import { connectOrStart } from '../../client/client.ts';
import { readHistory } from '../../client/history.ts';
import { recordChange } from '../../client/record-change.ts';
import { tryFleet } from '../../fleet/join.ts';
import { LONGEST_NAME } from '../../fleet/machine.ts';
import { parseCreds } from '../../fleet/server/creds.ts';
import { parseServers } from '../../fleet/server/servers.ts';
import {
  defaultMachineName,
  type FleetSecrets,
  type FleetSettings,
  machineIn,
  readFleetSettings,
  writeFleetSettings,
} from '../../fleet/settings.ts';
import { inboxOf, teamNames } from '../../fleet/subjects.ts';
import type { HomePaths } from '../../home/paths.ts';
import { lastLink } from '../../store/chain/chain.ts';
import { usage } from '../command.ts';
import { contentOf } from '../values.ts';
import { givenPolicyKey, listOf } from './admin.ts';

interface JoinOptions {
  readonly team?: string;
  readonly name?: string;
  readonly creds?: string;
  readonly token?: string;
  readonly user?: string;
  readonly ca?: string;
  readonly plaintext?: boolean;
  readonly replicas?: string;
  readonly 'with-history'?: boolean;
  readonly offline?: boolean;
  readonly group?: string;
  readonly 'policy-key'?: string;
}

const TOKEN_VARIABLE = 'HOOKLINE_FLEET_TOKEN';

/** Tries the server, saves the settings, and makes the daemon join. */
export async function joinFleet(
  paths: HomePaths,
  url: string,
  options: JoinOptions,
  by: string,
): Promise<void> {
  const secrets = { ...(await secretsFrom(options)), inbox: inboxOf(machineIn(paths)) };
  const settings = await settingsFrom(paths, url, options, secrets);
  if (!options.offline) await tryFleet(settings, secrets);
  writeFleetSettings(paths, settings, secrets);
  const { client } = await connectOrStart(paths);
  await client.post('/api/fleet/reload');
  const where = settings.servers.join(', ');
  await recordChange(paths, 'fleet', by, `joined the fleet ${settings.team} at ${where}`);
}

async function settingsFrom(
  paths: HomePaths,
  url: string,
  options: JoinOptions,
  secrets: FleetSecrets,
): Promise<FleetSettings> {
  const { team = 'default', name = defaultMachineName(), user, creds } = options;
  // Throws for an invalid name.
  teamNames(team);
  return {
    servers: parseServers(url),
    team,
    name: name.trim().slice(0, LONGEST_NAME) || defaultMachineName(),
    login: secrets.login === null ? 'none' : creds ? 'creds' : user ? 'password' : 'token',
    user: user ?? null,
    ownAuthority: secrets.authority !== null,
    plaintext: options.plaintext ?? false,
    replicas: replicasFrom(options.replicas),
    after: options['with-history'] ? 0 : await firstToSend(paths, team),
    ...policyFrom(paths, team, options),
  };
}

/** A machine that joins its team again with another login keeps its groups and its trusted key. */
function policyFrom(
  paths: HomePaths,
  team: string,
  { group, 'policy-key': key }: JoinOptions,
): Pick<FleetSettings, 'groups' | 'policyKey'> {
  const known = readFleetSettings(paths);
  const before = known?.team === team ? known : null;
  return {
    groups: group === undefined ? (before?.groups ?? []) : listOf(group),
    policyKey: key === undefined ? (before?.policyKey ?? null) : givenPolicyKey(key),
  };
}

/** The link after which records are sent. A machine that joins its team again may have some left to send. */
async function firstToSend(paths: HomePaths, team: string): Promise<number> {
  const before = readFleetSettings(paths);
  return before?.team === team ? before.after : readHistory(paths, (db) => lastLink(db).link);
}

function replicasFrom(given = '1'): number {
  if (/^[1-5]$/.test(given)) return Number(given);
  throw usage('fleet', `--replicas takes 1 to 5, not "${given}".`);
}

async function secretsFrom({ creds, token, user, ca }: JoinOptions): Promise<FleetSecrets> {
  if (creds !== undefined && (token !== undefined || user !== undefined))
    throw usage('fleet', 'Use either --creds or --token, not both.');
  const login = creds === undefined ? await tokenFrom(token) : await parseCreds(contentOf(creds));
  if (user !== undefined && login === null)
    throw usage('fleet', `--user needs a password. Set ${TOKEN_VARIABLE} or pass --token -.`);
  return { login, authority: ca === undefined ? null : contentOf(ca) };
}

async function tokenFrom(given: string | undefined): Promise<string | null> {
  const token = given === '-' ? await text(process.stdin) : (given ?? process.env[TOKEN_VARIABLE] ?? '');
  if (given !== undefined && token.trim() === '') throw usage('fleet', 'The token is empty.');
  return token.trim() || null;
}

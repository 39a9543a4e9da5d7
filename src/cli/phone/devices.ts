import { resolve } from 'node:path';
import * as v from 'valibot';
import type { Device } from '../../approvals/device.ts';
import { type AnswerLimits, limitText, ONLY, type Only } from '../../approvals/limits.ts';
import { connect } from '../../client/client.ts';
import { readHistory } from '../../client/history.ts';
import { recordChange } from '../../client/record-change.ts';
import { requireAccessHere } from '../../client/require-access.ts';
import { openDevices } from '../../daemon/phone/devices.ts';
import { createProjectFinder } from '../../home/identity.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { folderName, minuteOf } from '../../model/text.ts';
import { listSessions } from '../../store/read/queries.ts';
import { defineCommand, flag, unknownWord, usage, value } from '../command.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'devices',
  summary:
    'List paired phones, limit what they can answer, or revoke one. Pair a phone with `hookline open --phone`.',
  words: '[list|limit|revoke] [name]',
  options: {
    only: value(ONLY.join('|'), 'What it can do: deny; also allow once; or answer like the dashboard.', {
      of: 'limit',
    }),
    projects: value('a,b|all', 'Projects it can see and answer, by directory or name.', {
      of: 'limit',
    }),
    json: flag('As JSON, one object per line.'),
  },
  examples: [
    ['hookline devices limit "Pixel 9" --only deny', 'it can deny but not allow'],
    ['hookline devices limit "Pixel 9" --projects shop,~/work/site', 'it sees only these projects'],
    ['hookline devices revoke "Pixel 9"', 'it loses access immediately'],
  ],
  async run({ only, projects, json }, [what, name]) {
    const paths = homePaths();
    switch (what) {
      case undefined:
      case 'list':
        return list(paths, json ?? false);
      case 'revoke':
        return revoke(paths, deviceNamed(paths, name));
      case 'limit':
        return limit(paths, deviceNamed(paths, name), await limitsFrom(paths, only, projects), json ?? false);
      default:
        throw unknownWord('devices', what, ['list', 'limit', 'revoke']);
    }
  },
});

function list(paths: HomePaths, json: boolean): number {
  const known = openDevices(paths.devices).list();
  for (const device of known) console.log(json ? JSON.stringify(device) : lineOf(device));
  if (known.length === 0 && !json) console.log('No paired devices. Run `hookline open --phone` to pair one.');
  return 0;
}

function lineOf(device: Device): string {
  const { name, pairedAt, pairedBy, lastSeenAt } = device;
  const since = `paired ${minuteOf(Date.parse(pairedAt))} by ${pairedBy}, last seen ${minuteOf(Date.parse(lastSeenAt))}`;
  return `${paint.bold(name)}  ${limitText(device)}  ${paint.dim(since)}`;
}

/** The exact name, or one that differs only in case if that is unambiguous. */
function deviceNamed(paths: HomePaths, given: string | undefined): Device {
  if (given === undefined)
    throw usage('devices', 'Missing device name. Run `hookline devices` to list them.');
  const known = openDevices(paths.devices).list();
  const same = known.filter(({ name }) => name.toLowerCase() === given.toLowerCase());
  const found = known.find(({ name }) => name === given) ?? (same.length === 1 ? same[0] : undefined);
  if (found) return found;
  throw new HooklineError('NOT_FOUND', `Unknown device ${given}.`, {
    hint: 'Run `hookline devices` to list them.',
  });
}

/** Through the daemon if it runs, because it ends the device's connections. */
async function revoke(paths: HomePaths, { name }: Device): Promise<number> {
  const client = await connect(paths);
  if (client) await client.post(`/api/devices/${encodeURIComponent(name)}/revoke`);
  else {
    const by = await requireAccessHere(paths, 'devices');
    openDevices(paths.devices).revoke(name);
    await recordChange(paths, 'devices', by, `revoked the device ${name}`);
  }
  console.log(`Revoked ${name}. It no longer has access.`);
  return 0;
}

const limited = v.object({
  device: v.looseObject({
    name: v.string(),
    only: v.picklist(ONLY),
    projects: v.nullable(v.array(v.string())),
  }),
});

async function limit(
  paths: HomePaths,
  { name }: Device,
  limits: Partial<AnswerLimits>,
  json: boolean,
): Promise<number> {
  const client = await connect(paths);
  const device = client
    ? v.parse(limited, await client.post(`/api/devices/${encodeURIComponent(name)}/limit`, limits)).device
    : await limitHere(paths, name, limits);
  console.log(json ? JSON.stringify(device) : `${device.name} ${limitText(device)}.`);
  return 0;
}

async function limitHere(paths: HomePaths, name: string, limits: Partial<AnswerLimits>): Promise<Device> {
  const by = await requireAccessHere(paths, 'devices');
  const device = openDevices(paths.devices).limit(name, limits);
  if (device === null) throw new HooklineError('NOT_FOUND', `Unknown device ${name}.`);
  await recordChange(paths, 'devices', by, `limited the device ${name}: it ${limitText(device)}`);
  return device;
}

async function limitsFrom(
  paths: HomePaths,
  only: string | undefined,
  projects: string | undefined,
): Promise<Partial<AnswerLimits>> {
  if (only === undefined && projects === undefined)
    throw usage('devices', 'Missing limit. Pass --only or --projects.');
  if (only !== undefined && !isOnly(only)) throw usage('devices', `--only takes ${ONLY.join(', ')}.`);
  return {
    ...(only === undefined ? {} : { only }),
    ...(projects === undefined ? {} : { projects: await projectsFrom(paths, projects) }),
  };
}

const isOnly = (word: string): word is Only => ONLY.some((one) => one === word);

/** Directories, or names of directories that agents worked in; null for all. */
async function projectsFrom(paths: HomePaths, given: string): Promise<readonly string[] | null> {
  if (given === 'all') return null;
  const words = given
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
  if (words.length === 0)
    throw usage('devices', '--projects takes directories or names, separated by commas, or `all`.');
  const sessions = await readHistory(paths, (db) => listSessions(db));
  const known = [...new Set(sessions.flatMap(({ projectId }) => projectId ?? []))];
  return words.map((word) => projectNamed(word, known));
}

function projectNamed(word: string, known: readonly string[]): string {
  if (/[\\/]|^\.\.?$/.test(word)) return createProjectFinder()(resolve(word));
  const [found, other] = known.filter((one) => folderName(one) === word);
  if (found !== undefined && other === undefined) return found;
  const why = found === undefined ? 'No agent has worked in a project' : 'More than one project is';
  throw new HooklineError('NOT_FOUND', `${why} named ${word}.`, {
    hint: `Pass its directory, such as ./${word}.`,
  });
}

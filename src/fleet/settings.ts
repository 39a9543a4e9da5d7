import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { HooklineError } from '../model/errors.ts';
import { readSecret, secretsFolder } from '../notify/secrets.ts';
import { readOwnFile } from '../platform/bounded-files.ts';
import { writePrivateFile } from '../platform/files.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { machineSigner } from '../store/chain/machine-key.ts';
import { machineOf } from './machine.ts';
import type { FleetPaths } from './paths.ts';
import { policyEntries } from './policy/accepted.ts';
import { inboxOf, isTeamName } from './subjects.ts';

/** A machine's fleet, as stored in its home. */
export interface FleetSettings {
  /** Addresses of the servers of one cluster. */
  readonly servers: readonly string[];
  readonly team: string;
  /** The machine's name, for people. */
  readonly name: string;
  /** How it logs in; the credentials are in a file among the home's secrets. */
  readonly login: 'none' | 'token' | 'creds' | 'password';
  /** Used with a password. */
  readonly user: string | null;
  /** Trust only certificates of the authority in the home instead of those of the system. */
  readonly ownAuthority: boolean;
  /** Connect to another machine without TLS. */
  readonly plaintext: boolean;
  /** Number of servers that keep each record, for streams that this machine creates. */
  readonly replicas: number;
  /** Records up to this link stay here, because they are older than the membership. */
  readonly after: number;
  /** Groups of this machine, for which rules may be published. */
  readonly groups: readonly string[];
  /** Only rules signed by this key are applied; null while there is none. */
  readonly policyKey: string | null;
}

export function notJoined(): HooklineError {
  return new HooklineError('NOT_FOUND', 'This machine is not in a fleet.', {
    hint: 'Run `hookline fleet join <url>` to join one.',
  });
}

/** A machine's credentials. */
export interface FleetSecrets {
  /** A token, a password, or the content of a credentials file. */
  readonly login: string | null;
  /** Certificates, in PEM. */
  readonly authority: string | null;
  /** Subject prefix for the server's replies; the one shared by all machines if omitted. */
  readonly inbox?: string;
}

/** @internal For tests, whose servers need no login. */
export const NO_SECRETS: FleetSecrets = { login: null, authority: null };

const schema: v.GenericSchema<unknown, FleetSettings> = v.object({
  servers: v.pipe(v.array(v.string()), v.minLength(1)),
  team: v.pipe(v.string(), v.check(isTeamName, 'is not a name for a team')),
  name: v.string(),
  login: v.picklist(['none', 'token', 'creds', 'password']),
  user: v.nullable(v.string()),
  ownAuthority: v.boolean(),
  plaintext: v.boolean(),
  replicas: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
  after: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  ...policyEntries,
});
const stored = v.pipe(v.string(), v.parseJson(), schema);

/** Null if the machine isn't in a fleet. */
export function readFleetSettings({ fleet }: Pick<FleetPaths, 'fleet'>): FleetSettings | null {
  const text = readOwnFile(fleet);
  if (text === null) return null;
  const parsed = v.safeParse(stored, text);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new HooklineError('CONFIG_INVALID', `${fleet}: ${v.getDotPath(issue) ?? 'file'}: ${issue.message}`, {
    hint: 'Run `hookline fleet leave`, then join again.',
  });
}

const LOGIN = 'fleet-login';
const AUTHORITY = 'fleet-authority.pem';

export function readFleetSecrets(
  { root, machineKey }: Pick<FleetPaths, 'root' | 'machineKey'>,
  { login, ownAuthority }: Pick<FleetSettings, 'login' | 'ownAuthority'>,
): FleetSecrets {
  const read = (name: string) => readSecret({ file: join(secretsFolder(root), name) }, { root });
  return {
    login: login === 'none' ? null : read(LOGIN),
    authority: ownAuthority ? read(AUTHORITY) : null,
    inbox: inboxOf(machineIn({ machineKey })),
  };
}

/** The machine ID of a home. Creates its key on first use. */
export function machineIn(paths: Pick<FleetPaths, 'machineKey'>): string {
  makeFolder(dirname(paths.machineKey), 0o700);
  return machineOf(machineSigner(paths, () => {}).publicKey(), '').id;
}

/** Writes the secrets first, because settings without them would be unusable. */
export function writeFleetSettings(paths: FleetPaths, settings: FleetSettings, secrets: FleetSecrets): void {
  const folder = secretsFolder(paths.root);
  makeFolder(folder, 0o700);
  keepSecret(join(folder, LOGIN), secrets.login);
  keepSecret(join(folder, AUTHORITY), secrets.authority);
  updateFleetSettings(paths, settings);
}

/** Keeps the secrets. */
export function updateFleetSettings({ fleet }: Pick<FleetPaths, 'fleet'>, settings: FleetSettings): void {
  writePrivateFile(fleet, `${JSON.stringify(settings, null, 2)}\n`, { durable: true });
}

function keepSecret(path: string, text: string | null): void {
  if (text === null) rmSync(path, { force: true });
  else writePrivateFile(path, `${text.trim()}\n`, { durable: true });
}

/**
 * Keeps the outbox's cursor and the last policy: a machine that joins again continues where it was, and accepts no
 * older policy.
 */
export function removeFleetSettings({ root, fleet }: FleetPaths): void {
  rmSync(fleet, { force: true });
  for (const name of [LOGIN, AUTHORITY]) rmSync(join(secretsFolder(root), name), { force: true });
}

/** The name of a machine without a configured one. */
export function defaultMachineName(): string {
  return hostname().split('.')[0] || 'machine';
}

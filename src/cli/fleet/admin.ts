import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../client/client.ts';
import { recordChange } from '../../client/record-change.ts';
import { activePolicy } from '../../fleet/policy/active-policy.ts';
import { published, restored, rolledOut } from '../../fleet/policy/change.ts';
import type { PolicyDocument, PolicyFiles, Target } from '../../fleet/policy/document.ts';
import { makeAdminKey, parsePublicKey, publicKeyText, readAdminKey } from '../../fleet/policy/keys.ts';
import { publishPolicy } from '../../fleet/policy/publish.ts';
import { openPolicyBucket } from '../../fleet/server/buckets.ts';
import { updateFleetSettings } from '../../fleet/settings.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { secretsFolder } from '../../notify/secrets.ts';
import { readRegularText } from '../../platform/bounded-files.ts';
import { sha256 } from '../../platform/sha256.ts';
import { usage } from '../command.ts';
import { joinedSettings, withFleet } from './session.ts';

interface PolicyOptions {
  readonly group?: string;
  readonly repository?: string;
  readonly agent?: string;
  readonly percent?: string;
  readonly observe?: boolean;
  readonly enforce?: boolean;
  readonly to?: string;
}

const adminKeyPath = ({ root }: HomePaths) => join(secretsFolder(root), 'fleet-admin.pem');

/** Creates the administrator's key, or shows what machines must trust. */
export function adminKey(
  paths: HomePaths,
  what: string | undefined,
): { readonly key: string; readonly made: boolean } {
  if (what !== 'init' && what !== undefined)
    throw usage('fleet', `Unknown command "fleet admin ${what}". Use \`admin init\` or \`admin streams\`.`);
  const path = adminKeyPath(paths);
  const known = what === 'init' ? makeAdminKey(path) : { key: readAdminKey(path), made: false };
  if (known.key === null) throw noAdminKey();
  return { key: publicKeyText(known.key), made: known.made };
}

function noAdminKey(): HooklineError {
  return new HooklineError('NOT_FOUND', 'This machine has no signing key for the policy.', {
    hint: 'Run `hookline fleet admin init` to create one. Machines must then trust it.',
  });
}

/** Checks a public key given as an argument. */
export function givenPolicyKey(given: string): string {
  if (parsePublicKey(given) === null)
    throw usage('fleet', 'Invalid public key. Copy it from the output of `hookline fleet admin init`.');
  return given.trim();
}

/** From now on, only policies signed by this key apply here. */
export async function trustKey(paths: HomePaths, given: string | undefined, by: string): Promise<void> {
  if (given === undefined) throw usage('fleet', 'Missing key. Pass the public key to trust.');
  const policyKey = givenPolicyKey(given);
  updateFleetSettings(paths, { ...joinedSettings(paths), policyKey });
  await (await connect(paths))?.post('/api/fleet/reload');
  await recordChange(paths, 'fleet', by, `trusted the policy key ${keyId(policyKey)}`);
}

/** A short hash: a whole public key looks like a secret and would be redacted in the history. */
function keyId(key: string): string {
  return sha256(key).slice(0, 16);
}

type Change = 'publish' | 'rollout' | 'rollback';

const TARGET = ['group', 'repository', 'agent', 'percent'] as const;
const TAKES: Readonly<Record<Change, readonly (keyof PolicyOptions)[]>> = {
  publish: [...TARGET, 'observe'],
  rollout: [...TARGET, 'enforce'],
  rollback: ['to'],
};

/** Rejects options that a change doesn't take: `rollback --group web` would roll back all machines. */
function assertTaken(what: Change, options: PolicyOptions): void {
  const known = [...new Set(Object.values(TAKES).flat())];
  const extra = known.find((name) => options[name] !== undefined && !TAKES[what].includes(name));
  if (extra !== undefined) throw usage('fleet', `--${extra} can't be combined with ${what}.`);
}

/** Publishes rules, rolls them out, or rolls them back. */
export async function changePolicy(
  paths: HomePaths,
  what: Change,
  folder: string | undefined,
  options: PolicyOptions,
  by: string,
): Promise<PolicyDocument> {
  assertTaken(what, options);
  const key = readAdminKey(adminKeyPath(paths));
  const settings = joinedSettings(paths);
  if (key === null) throw noAdminKey();
  const change = changeOf(what, folder, options);
  const inForce = activePolicy(paths);
  const here = 'document' in inForce ? inForce.document : null;
  const newest = settings.policyKey === publicKeyText(key) ? here : null;
  const after = here?.version ?? 0;
  const document = await withFleet(paths, async (session) => {
    const bucket = await openPolicyBucket(session, settings);
    return publishPolicy({ bucket, key, team: settings.team, after, newest, change });
  });
  await recordChange(
    paths,
    'fleet',
    by,
    `published version ${document.version} of the fleet policy (${what})`,
  );
  return document;
}

function changeOf(what: Change, folder: string | undefined, options: PolicyOptions) {
  const target = targetFrom(options);
  const percent = percentFrom(options.percent);
  if (what === 'publish') {
    const files = filesIn(folder);
    const { observe = false } = options;
    return ([current]: readonly PolicyDocument[]) =>
      published(current?.sets ?? [], { target, files, percent: percent ?? 100, observe });
  }
  if (what === 'rollout') {
    const { enforce } = options;
    if (percent === undefined && !enforce)
      throw usage('fleet', 'Missing target. Pass --percent or --enforce.');
    return ([current]: readonly PolicyDocument[]) =>
      rolledOut(current?.sets ?? [], { target, percent, enforce });
  }
  if (options.to !== undefined && !/^[1-9]\d*$/.test(options.to))
    throw usage('fleet', `--to takes a version number, not "${options.to}".`);
  const to = options.to === undefined ? undefined : Number(options.to);
  return (documents: readonly PolicyDocument[]) => restored(documents, to);
}

function targetFrom({ group, repository, agent }: PolicyOptions): Target {
  return { groups: listOf(group), repositories: listOf(repository), agents: listOf(agent) };
}

/** Comma-separated names, sorted. */
export function listOf(given = ''): string[] {
  const names = given.split(',').map((name) => name.trim());
  return [...new Set(names.filter(Boolean))].sort();
}

function percentFrom(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^(?:100|\d{1,2})$/.test(given)) return Number(given);
  throw usage('fleet', `--percent takes 0 to 100, not "${given}".`);
}

function filesIn(folder: string | undefined): PolicyFiles {
  if (folder === undefined) throw usage('fleet', 'Missing directory to publish.');
  try {
    const names = readdirSync(folder).filter((name) => /^\w[\w.-]*\.ya?ml$/.test(name));
    if (names.length > 0)
      return Object.fromEntries(names.sort().map((name) => [name, readRegularText(join(folder, name))]));
  } catch (cause) {
    throw new HooklineError('NOT_FOUND', `Can't read the directory ${folder}.`, {
      cause,
      hint: 'Pass a directory with rule files.',
    });
  }
  throw new HooklineError('NOT_FOUND', `No rule files in ${folder}.`, {
    hint: 'Rule files end in .yaml. To remove rules, publish a file with an empty list: `rules: []`.',
  });
}

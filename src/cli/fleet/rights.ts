import { randomBytes } from 'node:crypto';
import { machineGiven } from '../../fleet/approvals/approvers.ts';
import { shortMachineId } from '../../fleet/machine.ts';
import { isRole, type Rights, ROLES, type Role, rightsOf } from '../../fleet/rights.ts';
import { machineIn, readFleetSettings } from '../../fleet/settings.ts';
import type { HomePaths } from '../../home/paths.ts';
import { usage } from '../command.ts';

interface RightsOptions {
  readonly team?: string;
  readonly user?: string;
  readonly format?: string;
  readonly json?: boolean;
}

const FORMATS = ['config', 'nsc'] as const;
const PASSWORD_BYTES = 24;

/** Prints a server login with the rights of its roles, ready for the server's configuration. */
export function fleetRights(
  paths: HomePaths,
  [roles = '', given]: readonly (string | undefined)[],
  options: RightsOptions,
): number {
  const named = rolesFrom(roles);
  const machine = machineFrom(paths, given);
  const team = options.team ?? readFleetSettings(paths)?.team ?? 'default';
  const user = options.user ?? `${named[0]}-${shortMachineId(machine)}`;
  if (!/^[\w.-]{1,64}$/.test(user))
    throw usage('fleet', `"${user}" can't be a user name: use letters, digits, ".", "-" and "_".`);
  const rights = rightsOf(team, machine, named);
  const format = formatFrom(options.format);
  if (options.json) console.log(JSON.stringify({ roles: named, team, machine, user, ...rights }));
  else
    console.log(format === 'nsc' ? nscCommand(user, rights) : configEntry(user, rights, { named, machine }));
  return 0;
}

function rolesFrom(given: string): readonly Role[] {
  const names = given.split(',').map((one) => one.trim());
  const wrong = names.find((one) => !isRole(one));
  if (wrong !== undefined) throw usage('fleet', `Missing role. Use one of ${ROLES.join(', ')}.`);
  return names.filter(isRole);
}

/** Without an argument, this machine. */
function machineFrom(paths: HomePaths, given: string | undefined): string {
  if (given === undefined) return machineIn(paths);
  const id = machineGiven(given);
  if (id === null)
    throw usage(
      'fleet',
      `"${given}" isn't a machine ID or public key. \`hookline fleet rights machine --json\` on that machine shows its ID.`,
    );
  return id;
}

function formatFrom(given = 'config'): (typeof FORMATS)[number] {
  const found = FORMATS.find((one) => one === given);
  if (found === undefined) throw usage('fleet', `--format takes ${FORMATS.join(' or ')}, not "${given}".`);
  return found;
}

/** An entry of `authorization.users`. Subjects are quoted, because `$` starts a variable there. */
function configEntry(
  user: string,
  { publish, subscribe }: Rights,
  { named, machine }: { readonly named: readonly Role[]; readonly machine: string },
): string {
  const list = (subjects: readonly string[]) =>
    subjects.map((one) => `      ${JSON.stringify(one)}`).join('\n');
  return `# ${named.join(', ')}: machine ${machine}
{
  user: ${JSON.stringify(user)}
  password: ${JSON.stringify(randomBytes(PASSWORD_BYTES).toString('base64url'))}
  permissions: {
    publish: [
${list(publish)}
    ]
    subscribe: [
${list(subscribe)}
    ]
  }
}`;
}

function nscCommand(user: string, { publish, subscribe }: Rights): string {
  const list = (subjects: readonly string[]) => `'${subjects.join(',')}'`;
  return `nsc add user --name ${user} --allow-pub ${list(publish)} --allow-sub ${list(subscribe)}`;
}

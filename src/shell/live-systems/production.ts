import { anyWordFor, countsAs, entryFor } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import type { SimpleCommand } from '../analysis.ts';
import type { Call } from '../call.ts';
import { isHere } from '../disposable/addresses.ts';
import { hostIn } from '../disposable/environments.ts';
import { NAMES_PRODUCTION, namesProduction, production } from '../disposable/named-place.ts';
import { isContext } from '../disposable/place-names.ts';

const DATABASES =
  /(?:^|_)(?:DATABASE|DB|POSTGRES|POSTGRESQL|PG|MYSQL|MONGO|MONGODB|REDIS)(?:_|HOST|DATABASE|$)/;
/** Whether a command works with what customers use, as far as its words and the variables around it say. */
export function isInProduction({ command, walk }: Call, isTask = false): boolean {
  if (isLocal(command)) return false;
  if (namesProduction(command) || (isTask && saysProduction(command))) return true;
  const around = walk.commands.filter(({ name }) => name !== null && command.via.includes(name));
  const settings = [command, ...around].flatMap(({ assignments }) => assignments);
  settings.push(...walk.commands.flatMap(isSetting));
  if (settings.some(({ name, value, raw }) => setsProduction(name, value, raw))) return true;
  for (const [name, { value, exported }] of walk.state.variables)
    if (exported && setsProduction(name, value, '')) return true;
  return around.some(
    (one) => one.tool !== null && entryFor(one.tool)?.carries?.includes('place') && namesProduction(one),
  );
}

/** Variables of the shell that are set by a command of their own. */
function isSetting({ tool, assignments }: SimpleCommand): SimpleCommand['assignments'] {
  return tool === ':' || tool === 'export' ? assignments : [];
}

function setsProduction(name: string, value: string | null, raw: string): boolean {
  if (countsAs('environment-variable', name)) return production().test(value ?? '');
  return (
    DATABASES.test(name) &&
    (NAMES_PRODUCTION.test(raw) || production().test((value ?? '').replace(/:[^:@/]*@/, '@')))
  );
}

const whole = once(() => new RegExp(`(?:^|[^a-z])${anyWordFor('production-command')}(?:$|[^a-z])`, 'i'));

/** A task is told where without an option as well: `deploy.sh production`, `make deploy-prod`. */
function saysProduction({ argv }: SimpleCommand): boolean {
  return (
    argv.slice(0, 6).some(({ template }) => !template.includes('/') && whole().test(template)) ||
    whole().test(baseName(argv[0]?.template ?? ''))
  );
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A cluster or an emulator on this machine is not production, whatever its name is. */
function isLocal({ argv }: SimpleCommand): boolean {
  return argv.some(({ template }, at) => {
    const [name = '', value = argv[at + 1]?.template ?? ''] = template.split(/=(.*)/s);
    if (/^--(?:kube-)?context$/.test(name)) return isContext('here-cluster', value);
    return name === '--endpoint-url' && isHere(hostIn(value));
  });
}

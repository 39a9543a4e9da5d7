import { isTestName } from '../../doors/test-names.ts';
import { anyWordFor, countsAs, entryFor } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import type { SimpleCommand } from '../analysis.ts';
import type { Call } from '../call.ts';
import { isHere } from '../disposable/addresses.ts';
import { hostIn } from '../disposable/environments.ts';
import { isContext } from '../disposable/place-names.ts';

/** A name for what customers use, whole or as a part of another: `production`, `shop-prod`, `.env.production`. */
const production = once(
  () => new RegExp(`(?:^|[/._=@:-])${anyWordFor('production-command')}(?:$|[/._:@-]|\\d)`, 'i'),
);
const DATABASES =
  /(?:^|_)(?:DATABASE|DB|POSTGRES|POSTGRESQL|PG|MYSQL|MONGO|MONGODB|REDIS)(?:_|HOST|DATABASE|$)/;
/** A variable by whose name one knows what is in it: `$PROD_DATABASE_URL`. */
const NAMED = /\$\{?\w*PROD(?:UCTION)?_\w*/;

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
    DATABASES.test(name) && (NAMED.test(raw) || production().test((value ?? '').replace(/:[^:@/]*@/, '@')))
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

/** Whether a command says of itself that it works where something is tried out. */
export function namesTrial(command: SimpleCommand): boolean {
  const { argv } = command;
  if (namesProduction(command)) return false;
  return argv.slice(1).some(({ template }, at) => {
    const [name = '', value = argv[at + 2]?.template ?? ''] = template.split(/=(.*)/s);
    return name.startsWith('-') && countsAs('place-option', name) && isTestName(value);
  });
}

/** What is told to a cluster or an emulator on this machine is no production, whatever it is called. */
function isLocal({ argv }: SimpleCommand): boolean {
  return argv.some(({ template }, at) => {
    const [name = '', value = argv[at + 1]?.template ?? ''] = template.split(/=(.*)/s);
    if (/^--(?:kube-)?context$/.test(name)) return isContext('here-cluster', value);
    return name === '--endpoint-url' && isHere(hostIn(value));
  });
}

function namesProduction({ tool, argv, operands, options }: SimpleCommand): boolean {
  const words = argv.slice(1);
  if (
    options.some(
      ({ name, value }) => value && countsAs('place-option', name) && production().test(value.template),
    )
  )
    return true;
  if (words.some(({ raw }) => NAMED.test(raw))) return true;
  if ((tool === 'rails' || tool === 'cap') && operands.some(({ text }) => text === 'production')) return true;
  return words.some(({ template }, at) => {
    const [name = '', value] = template.split(/=(.*)/s);
    if (countsAs('environment-variable', name)) return production().test(value ?? '');
    if (/[:_-]prod(?:uction)?$/.test(template) && !template.startsWith('-') && at < 6) return true;
    const dashed = name.replace(/^-(?=\w{2})/, '--');
    return countsAs('place-option', dashed) && production().test(value ?? words[at + 1]?.template ?? '');
  });
}

import { anyWordFor } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import type { SimpleCommand } from '../analysis.ts';
import type { Call } from '../call.ts';

/** A name for what customers use, whole or as a part of another: `production`, `shop-prod`, `.env.production`. */
const production = once(
  () => new RegExp(`(?:^|[/._=@:-])${anyWordFor('production-command')}(?:$|[/._:@-]|\\d)`, 'i'),
);
const ENVIRONMENTS =
  /^(?:(?:RAILS|RACK|NODE|APP|DJANGO|MIX|FLASK|GO|HANAMI|SYMFONY|LARAVEL|KNEX|WP|DEPLOY|NODE_CONFIG|ASPNETCORE|DOTNET|TARGET)_ENV(?:IRONMENT)?|ENV|ENVIRONMENT|STAGE|ASPNETCORE_ENVIRONMENT|DOTNET_ENVIRONMENT|DJANGO_SETTINGS_MODULE|DJANGO_CONFIGURATION|SPRING_PROFILES_ACTIVE|QUARKUS_PROFILE)$/;
const DATABASES =
  /(?:^|_)(?:DATABASE|DB|POSTGRES|POSTGRESQL|PG|MYSQL|MONGO|MONGODB|REDIS)(?:_|HOST|DATABASE|$)/;
const OPTIONS =
  /^(?:-e|-E|-x|-n|-h|-d|--?env|--environment|--settings|--env-file|--stage|--context|--namespace|--profile|--config|--configuration|--configFiles|--host|--database|--db|--db-url|--url|--connection|--target|--remote)$/;
/** A variable by whose name one knows what is in it: `$PROD_DATABASE_URL`. */
const NAMED = /\$\{?\w*PROD(?:UCTION)?_\w*/;

/** Whether a command works with what customers use, as far as its words and the variables around it say. */
export function isInProduction({ command, walk }: Call): boolean {
  if (namesProduction(command)) return true;
  const around = walk.commands.filter(({ name }) => name !== null && command.via.includes(name));
  const settings = [command, ...around].flatMap(({ assignments }) => assignments);
  settings.push(...walk.commands.flatMap(isSetting));
  if (settings.some(({ name, value, raw }) => setsProduction(name, value, raw))) return true;
  for (const [name, { value, exported }] of walk.state.variables)
    if (exported && setsProduction(name, value, '')) return true;
  return around.some((one) => CARRIERS.test(one.tool ?? '') && namesProduction(one));
}

/** They say where, or with which variables, the rest of their words is run. */
const CARRIERS = /^(?:dotenv|dotenvx|env-cmd|kubectl|oc|docker|aws-vault|doppler|infisical|chamber|op)$/;

/** Variables of the shell that are set by a command of their own. */
function isSetting({ tool, assignments }: SimpleCommand): SimpleCommand['assignments'] {
  return tool === ':' || tool === 'export' ? assignments : [];
}

function setsProduction(name: string, value: string | null, raw: string): boolean {
  if (ENVIRONMENTS.test(name)) return production().test(value ?? '');
  return (
    DATABASES.test(name) && (NAMED.test(raw) || production().test((value ?? '').replace(/:[^:@/]*@/, '@')))
  );
}

function namesProduction({ tool, argv, operands }: SimpleCommand): boolean {
  const words = argv.slice(1);
  if (words.some(({ raw }) => NAMED.test(raw))) return true;
  if ((tool === 'rails' || tool === 'cap') && operands.some(({ text }) => text === 'production')) return true;
  return words.some(({ template }, at) => {
    const [name = '', value] = template.split(/=(.*)/s);
    if (ENVIRONMENTS.test(name)) return production().test(value ?? '');
    if (/[:_-]prod(?:uction)?$/.test(template) && !template.startsWith('-') && at < 6) return true;
    const dashed = name.replace(/^-(?=\w{2})/, '--');
    return OPTIONS.test(dashed) && production().test(value ?? words[at + 1]?.template ?? '');
  });
}

import { anyWordFor, countsAs, entryFor } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import type { SimpleCommand } from '../analysis.ts';
import type { Call } from '../call.ts';

/** A name for what customers use, whole or as a part of another: `production`, `shop-prod`, `.env.production`. */
const production = once(
  () => new RegExp(`(?:^|[/._=@:-])${anyWordFor('production-command')}(?:$|[/._:@-]|\\d)`, 'i'),
);
const DATABASES =
  /(?:^|_)(?:DATABASE|DB|POSTGRES|POSTGRESQL|PG|MYSQL|MONGO|MONGODB|REDIS)(?:_|HOST|DATABASE|$)/;
/** A variable whose name tells its content: `$PROD_DATABASE_URL`. */
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

function namesProduction({ tool, argv, operands }: SimpleCommand): boolean {
  const words = argv.slice(1);
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

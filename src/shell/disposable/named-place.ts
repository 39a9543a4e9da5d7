import { isTestName } from '../../doors/test-names.ts';
import { anyWordFor, countsAs } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import type { SimpleCommand } from '../analysis.ts';

/** A name for what customers use, whole or as a part of another: `production`, `shop-prod`, `.env.production`. */
export const production = once(
  () => new RegExp(`(?:^|[/._=@:-])${anyWordFor('production-command')}(?:$|[/._:@-]|\\d)`, 'i'),
);
/** A variable whose name tells its content: `$PROD_DATABASE_URL`. */
export const NAMES_PRODUCTION = /\$\{?\w*PROD(?:UCTION)?_\w*/;

/** Whether the words of a command name a production system. */
export function namesProduction({ tool, argv, operands, options }: SimpleCommand): boolean {
  const words = argv.slice(1);
  if (
    options.some(
      ({ name, value }) => value && countsAs('place-option', name) && production().test(value.template),
    )
  )
    return true;
  if (words.some(({ raw }) => NAMES_PRODUCTION.test(raw))) return true;
  if ((tool === 'rails' || tool === 'cap') && operands.some(({ text }) => text === 'production')) return true;
  return words.some(({ template }, at) => {
    const [name = '', value] = template.split(/=(.*)/s);
    if (countsAs('environment-variable', name)) return production().test(value ?? '');
    if (/[:_-]prod(?:uction)?$/.test(template) && !template.startsWith('-') && at < 6) return true;
    const dashed = name.replace(/^-(?=\w{2})/, '--');
    return countsAs('place-option', dashed) && production().test(value ?? words[at + 1]?.template ?? '');
  });
}

/** Whether an option of a command names a place for tests. */
export function namesTrial(command: SimpleCommand): boolean {
  const { argv } = command;
  if (namesProduction(command)) return false;
  return argv.slice(1).some(({ template }, at) => {
    const [name = '', value = argv[at + 2]?.template ?? ''] = template.split(/=(.*)/s);
    return name.startsWith('-') && countsAs('place-option', name) && isTestName(value);
  });
}

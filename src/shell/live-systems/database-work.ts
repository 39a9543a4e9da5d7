import { entryFor } from '../../knowledge/load.ts';
import { saysSo } from '../../knowledge/wildcard.ts';
import type { SimpleCommand } from '../analysis.ts';

/** Tasks that only build, list or check. */
const QUIET_TASK =
  /^(?:assets|tmp|log|about|stats|routes|notes|time|zeitwerk|spec|test|default|lint|rubocop|standard|build|docs?|yard|i18n|webpacker|js|css|tailwindcss|vite|middleware|secret|initializers|credentials|secrets|encrypted|generate|g|new|server|s|version|help|importmap|yarn|cache_digests)(?:[: ]|$)|^db:(?:version|migrate:status|abort_if|schema:dump|structure:dump)/;
const TASK = /^(?:runner|r|console|c|db|dbconsole)(?: |$)|^\w+(?::\w+)+/;
const WORKS_ON_ROWS =
  /(?:^|[/_.:-])(?:migrat\w*|seed\w*|backfill\w*|import|importer|delet\w*|remov\w*|purg\w*|cleanup|clean-?up|fix\w*|reset\w*|wipe\w*|truncate\w*|anonymi[sz]\w*|send\w*|mail\w*|notif\w*|charg\w*|refund\w*|cancel\w*|expir\w*|dedup\w*|db)(?=[/_.:-]|$)/i;
const SCRIPT = /\.(?:[cm]?[jt]sx?|py|rb|php|exs?|go|sql|sh)$/;

const ONLY_TELLS = /^(?:-T|--(?:help|version|plan|check|dry-run|pretend|sql|tasks|list))$/;

/** What a command does to an application's database; null if nothing, or if it only reads. */
export function databaseWork(command: SimpleCommand): string | null {
  const { tool, sub, operands } = command;
  if (tool === null) return null;
  const words = [...sub, ...operands.map(({ template }) => template)];
  if (command.argv.some(({ template }) => ONLY_TELLS.test(template))) return null;
  const known = entryFor(tool)?.data;
  switch (known?.given) {
    case 'rake':
      return taskOf(words);
    case 'statements':
      return isFedFile(command) ? tool : null;
    case 'script':
      return scriptOf(words);
    case 'task':
      return namedTask(words);
    case undefined:
      return known && saysSo(words.join(' '), known) ? tool : null;
  }
}

/** Common names of database scripts: `db:migrate`, `seed`. */
const SCRIPT_NAME =
  /^(?:db|database|prisma|knex|typeorm|sequelize)[:_-](?!generate|studio|types|status|up$|start|docker)|^(?:migrate|migration|seed|backfill)(?:[:_-](?!create|make|generate|status)|$)/;

function taskOf(words: readonly string[]): string | null {
  const tasks = words.filter((word) => !/^[A-Z_]+=/.test(word));
  const task = tasks.find(
    (word, at) => (at === 0 || word.includes(':')) && !QUIET_TASK.test(word) && TASK.test(word),
  );
  return task ?? null;
}

function namedTask([first, ...rest]: readonly string[]): string | null {
  const script = first === 'run' || first === 'run-script' ? rest[0] : first;
  return script !== undefined && SCRIPT_NAME.test(script) ? script : null;
}

function scriptOf(words: readonly string[]): string | null {
  const [first = '', ...rest] = words;
  const inner = /(?:^|\/)(artisan|console|manage\.py|ace)$/.exec(first)?.[1];
  const known = inner === undefined ? undefined : entryFor(inner)?.data;
  if (inner !== undefined && known && saysSo(rest.join(' '), known)) return inner;
  const script = words.slice(0, 2).find((word) => SCRIPT.test(word) || /^\.\/(?:cmd|scripts?)\//.test(word));
  return script !== undefined && WORKS_ON_ROWS.test(script.replace(SCRIPT, '')) ? script : null;
}

/** True for statements from a file, whose content is unknown. Statements in the line itself are read elsewhere. */
function isFedFile({ options, stdin }: SimpleCommand): boolean {
  return options.some(({ name }) => name === '--file' || name === '-f') || stdin.from === 'file';
}

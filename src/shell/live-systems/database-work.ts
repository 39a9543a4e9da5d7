import { entryFor } from '../../knowledge/load.ts';
import type { DataWords } from '../../knowledge/traits.ts';
import type { SimpleCommand } from '../analysis.ts';

/** Tasks that build, list or check. */
const QUIET_TASK =
  /^(?:assets|tmp|log|about|stats|routes|notes|time|zeitwerk|spec|test|default|lint|rubocop|standard|build|docs?|yard|i18n|webpacker|js|css|tailwindcss|vite|middleware|secret|initializers|credentials|secrets|encrypted|generate|g|new|server|s|version|help|importmap|yarn|cache_digests)(?:[: ]|$)|^db:(?:version|migrate:status|abort_if|schema:dump|structure:dump)/;
const TASK = /^(?:runner|r|console|c|db|dbconsole)(?: |$)|^\w+(?::\w+)+/;
const WORKS_ON_ROWS =
  /(?:^|[/_.:-])(?:migrat\w*|seed\w*|backfill\w*|import|importer|delet\w*|remov\w*|purg\w*|cleanup|clean-?up|fix\w*|reset\w*|wipe\w*|truncate\w*|anonymi[sz]\w*|send\w*|mail\w*|notif\w*|charg\w*|refund\w*|cancel\w*|expir\w*|dedup\w*|db)(?=[/_.:-]|$)/i;
const SCRIPT = /\.(?:[cm]?[jt]sx?|py|rb|php|exs?|go|sql|sh)$/;

const CLIENTS = /^(?:psql|mysql|mariadb|mongosh|mongo|sqlcmd|sqlplus|clickhouse-client|cqlsh|usql)$/;
const INTERPRETERS = /^(?:node|tsx|ts-node|bun|deno|python|ruby|php|go|vite-node|jiti|elixir)$/;
const MANAGERS = /^(?:npm|pnpm|yarn|bun|make|just|task)$/;

const ONLY_TELLS = /^(?:-T|--(?:help|version|plan|check|dry-run|pretend|sql|tasks|list))$/;

/** What a command does to the database of an application; null where it does nothing, or only looks. */
export function databaseWork(command: SimpleCommand): string | null {
  const { tool, sub, operands } = command;
  if (tool === null) return null;
  const words = [...sub, ...operands.map(({ template }) => template)];
  if (command.argv.some(({ template }) => ONLY_TELLS.test(template))) return null;
  if (tool === 'rails' || tool === 'rake') return taskOf(words);
  if (CLIENTS.test(tool)) return isFedFile(command) ? tool : null;
  const [first = '', ...rest] = words;
  const inner = INTERPRETERS.test(tool)
    ? /(?:^|\/)(artisan|console|manage\.py|ace)$/.exec(first)?.[1]
    : undefined;
  const known = entryFor(inner ?? tool)?.data;
  const text = (inner === undefined ? words : rest).join(' ');
  if (known && changesData(text, known)) return inner ?? tool;
  if (INTERPRETERS.test(tool)) return scriptOf(words);
  if (!MANAGERS.test(tool)) return null;
  const script = first === 'run' || first === 'run-script' ? rest[0] : first;
  return script !== undefined && SCRIPT_NAME.test(script) ? script : null;
}

function changesData(text: string, { begins, says, except = [] }: DataWords): boolean {
  const line = ` ${text} `;
  const isBegun = (phrase: string) =>
    phrase.endsWith('*') ? text.startsWith(phrase.slice(0, -1)) : line.startsWith(` ${phrase} `);
  const isSaid = (phrase: string) =>
    phrase.endsWith('*') ? ` ${text}`.includes(` ${phrase.slice(0, -1)}`) : line.includes(` ${phrase} `);
  return (begins?.some(isBegun) ?? true) && (says?.some(isSaid) ?? true) && !except.some(isBegun);
}

/** As projects call such scripts: `db:migrate`, `seed`. */
const SCRIPT_NAME =
  /^(?:db|database|prisma|knex|typeorm|sequelize)[:_-](?!generate|studio|types|status|up$|start|docker)|^(?:migrate|migration|seed|backfill)(?:[:_-](?!create|make|generate|status)|$)/;

function taskOf(words: readonly string[]): string | null {
  const tasks = words.filter((word) => !/^[A-Z_]+=/.test(word));
  const task = tasks.find(
    (word, at) => (at === 0 || word.includes(':')) && !QUIET_TASK.test(word) && TASK.test(word),
  );
  return task ?? null;
}

function scriptOf(words: readonly string[]): string | null {
  const script = words.slice(0, 2).find((word) => SCRIPT.test(word) || /^\.\/(?:cmd|scripts?)\//.test(word));
  return script !== undefined && WORKS_ON_ROWS.test(script.replace(SCRIPT, '')) ? script : null;
}

/** Statements from a file, which nobody sees here; what stands in the line itself is read elsewhere. */
function isFedFile({ options, stdin }: SimpleCommand): boolean {
  return options.some(({ name }) => name === '--file' || name === '-f') || stdin.from === 'file';
}

import { entryOf } from '../../model/lookup.ts';
import type { SimpleCommand } from '../analysis.ts';

const ARTISAN =
  /^(?:migrate(?!:status|:install)|db:(?!show|table|monitor)|tinker|schema:(?!dump)|queue:(?:flush|clear|retry))/;
const SYMFONY =
  /^(?:doctrine:(?:migrations:(?:migrate|execute|version|rollup)|schema:(?:update|drop|create)|fixtures:load|database:drop|query:)|dbal:run-sql|messenger:(?:consume|failed:retry))/;
const DJANGO =
  /^(?:migrate|shell|shell_plus|dbshell|loaddata|flush|createsuperuser|changepassword|runscript|reset_db|clearsessions|remove_stale_contenttypes)(?: |$)/;
/** Tasks that build, list or check. */
const QUIET_TASK =
  /^(?:assets|tmp|log|about|stats|routes|notes|time|zeitwerk|spec|test|default|lint|rubocop|standard|build|docs?|yard|i18n|webpacker|js|css|tailwindcss|vite|middleware|secret|initializers|credentials|secrets|encrypted|generate|g|new|server|s|version|help|importmap|yarn|cache_digests)(?:[: ]|$)|^db:(?:version|migrate:status|abort_if|schema:dump|structure:dump)/;
const TASK = /^(?:runner|r|console|c|db|dbconsole)(?: |$)|^\w+(?::\w+)+/;
const WORKS_ON_ROWS =
  /(?:^|[/_.:-])(?:migrat\w*|seed\w*|backfill\w*|import|importer|delet\w*|remov\w*|purg\w*|cleanup|clean-?up|fix\w*|reset\w*|wipe\w*|truncate\w*|anonymi[sz]\w*|send\w*|mail\w*|notif\w*|charg\w*|refund\w*|cancel\w*|expir\w*|dedup\w*|db)(?=[/_.:-]|$)/i;
const SCRIPT = /\.(?:[cm]?[jt]sx?|py|rb|php|exs?|go|sql|sh)$/;

/** What programs are told to do with the database of an application, by the first of their words. */
const DATABASE: Readonly<Record<string, RegExp>> = {
  prisma: /^(?:migrate (?:deploy|reset|resolve)|db (?:push|execute|seed))/,
  sequelize: /^db:(?!migrate:status)/,
  'sequelize-cli': /^db:(?!migrate:status)/,
  knex: /^(?:migrate:(?:latest|up|down|rollback|unlock|forceUnlock)|seed:run)/,
  typeorm: /^(?:migration:(?:run|revert)|schema:(?:sync|drop)|query)/,
  'typeorm-ts-node-commonjs': /^(?:migration:(?:run|revert)|schema:(?:sync|drop)|query)/,
  'typeorm-ts-node-esm': /^(?:migration:(?:run|revert)|schema:(?:sync|drop)|query)/,
  'drizzle-kit': /^(?:push|migrate|drop)/,
  'mikro-orm': /^(?:migration:(?:up|down|fresh)|schema:(?:update|drop|fresh)|seeder:run|database:)/,
  'node-pg-migrate': /^(?:up|down|redo)/,
  'db-migrate': /^(?:up|down|reset)/,
  'migrate-mongo': /^(?:up|down)/,
  artisan: ARTISAN,
  console: SYMFONY,
  'manage.py': DJANGO,
  'django-admin': DJANGO,
  mix: /^(?:ecto\.(?!gen|dump|migrations)|run(?: |$))/,
  iex: /^/,
  flask: /^(?:db (?:upgrade|downgrade|stamp)|shell|init-db|drop-db)/,
  dotnet: /^ef (?:.* )?database (?:update|drop)/,
  alembic: /(?:^| )(?:upgrade|downgrade|stamp)(?: |$)/,
  flyway: /(?:^| )(?:migrate|clean|repair|undo|baseline)(?: |$)/,
  liquibase: /(?:^| )(?:update|rollback|drop-all)/,
  migrate: /(?:^| )(?:up|down|drop|force|goto)(?: |$)/,
  goose: /(?:^| )(?:up|down|redo|reset|up-to|down-to|up-by-one)(?: |$)/,
  dbmate: /(?:^| )(?:up|migrate|rollback|down|drop)(?: |$)/,
  atlas: /^(?:migrate apply|schema apply|schema clean)/,
  sqlx: /^(?:migrate (?:run|revert)|database (?:drop|reset))/,
  diesel: /^(?:migration (?:run|revert|redo)|database)/,
  phinx: /^(?:migrate|rollback|seed:run)/,
  hasura: /^(?:migrate apply|metadata apply|seed apply)/,
  strapi: /^(?:import|transfer|configuration:restore|console)/,
  hanami: /^(?:db (?!version)|console)/,
  ace: /^(?:migration:(?!status)|db:)/,
};

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
  const known = entryOf(DATABASE, inner ?? tool);
  const text = (inner === undefined ? words : rest).join(' ');
  if (known?.test(text)) return inner ?? tool;
  if (INTERPRETERS.test(tool)) return scriptOf(words);
  if (!MANAGERS.test(tool)) return null;
  const script = first === 'run' || first === 'run-script' ? rest[0] : first;
  return script !== undefined && SCRIPT_NAME.test(script) ? script : null;
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

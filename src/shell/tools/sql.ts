import { endsServer, promotes, statementDeed, weakensServer } from '../../doors/statement.ts';
import { entryFor } from '../../knowledge/load.ts';
import type { Call } from '../call.ts';
import { isHere } from '../disposable/addresses.ts';
import { isInProduction } from '../live-systems/production.ts';
import { hasUnknown } from '../placeholders.ts';

const STATEMENT =
  /\b(?:(drop)\s+(database|schema|table|owned|sequence|extension|type|domain|procedure|publication|view|index|user|role|keyspace|materialized\s+view|function|trigger|tablespace|column|constraint)\b(?:\s+if\s+exists)?|(truncate)(?:\s+table)?(?=\s+[\w"`[])|(delete)(?:(?:\s+(?:low_priority|quick|ignore)){0,3}\s+from(?=\s+[\w"`[])|(?=\s+(?!from\b)[\w.`]{1,130}\s+from\s))|(update)(?=(?:\s+(?:low_priority|ignore)){0,2}\s+[\w".`]+\s+set\b)|(alter)\s+(?:table|database|role|user)|(grant|revoke)\s)\s*([\w."`[\]]*)/gi;

const MAX_SQL = 1024 * 1024;
const MAX_STATEMENTS = 1000;
const MAX_STATEMENT = 2000;

/** Statements of an SQL text that delete something, and their tables. */
export function sqlEffects(call: Call, sql: string): void {
  const text = statementsIn(sql.slice(0, MAX_SQL), isMySql(call));
  if (sql.length > MAX_SQL) call.walk.exceed(`${call.name} runs more SQL than was read`);
  const passing = new Set<string>();
  let statements = 0;
  let last = 0;
  for (const found of text.matchAll(STATEMENT)) {
    if (++statements > MAX_STATEMENTS) {
      call.walk.exceed(`${call.name} runs more SQL than was read`);
      break;
    }
    const [whole, drop, kind, truncate, remove, update, alter, grant, target = ''] = found;
    const statement = text.slice(found.index, endOfStatement(text, found.index));
    const filtered = /\bwhere\b/i.test(statement) && !FOR_ALL.test(statement.trim()) && !AUDIT.test(target);
    const own = target.toLowerCase();
    for (const one of madeForAWhile(text.slice(last, found.index))) passing.add(one);
    last = found.index;
    const action = (drop ?? truncate ?? remove ?? update ?? alter ?? grant ?? whole).toLowerCase();
    const destructive =
      !isExplained(text, found.index) &&
      !(own !== '' && passing.has(own)) &&
      (drop !== undefined ||
        truncate !== undefined ||
        ((remove ?? update) !== undefined && !filtered) ||
        /\bdrop\b/i.test(statement) ||
        DELETES_ROWS.test(statement));
    if (drop !== undefined) passing.delete(own);
    call.resource(
      'sql',
      kind ? `${action} ${kind.toLowerCase()}` : action,
      destructive,
      // `DELETE FROM a USING shop.orders a`: the name may be an alias.
      remove !== undefined && /\busing\b/i.test(statement)
        ? null
        : namesIn(text, found.index + whole.length - target.length),
    );
  }
  elsewhere(call, sql);
  otherDatabases(call, text);
  for (const [, command = ''] of text.matchAll(/(?:^|\n)[^\S\n]*\\!\s*([^\n]+)/g)) call.runText(command);
  if (isMySql(call))
    for (const [, command = ''] of text.matchAll(/(?:^|[;\n])[^\S\n]*system\s+([^;\n]+)/gi))
      call.runText(command);
  for (const [, command = ''] of text.matchAll(/\b(?:from|to)\s+program\s+'([^']*)'/gi))
    call.runText(command);
  if (BEYOND_THE_DATABASE.test(text)) call.execute('unknown');
}

/** ClickHouse: deletes any number of rows. */
const DELETES_ROWS =
  /^alter\s+table\s+\S+(?:\s+on\s+cluster\s+\S+)?\s+(?:delete\s+(?:in\s+partition\s+\S+\s+)?where|clear\s+column)\b/i;
/** Audit tables. Deleting some of their rows is never an accident. */
const AUDIT =
  /(?:^|[_."`[])(?:audit\w{0,20}|security_?(?:log|event)s?|access_?logs?|login_?(?:log|history|attempt|event)s?|activity_?logs?|admin_?(?:log|action)s?|change_?logs?)(?:["`\]]|$)/i;
/** Tables that end with the connection. */
const FOR_A_WHILE =
  /\bcreate\s+(?:or\s+replace\s+)?(?:(?:local|global)\s+)?temp(?:orary)?\s+(?:table|view)\s+(?:if\s+not\s+exists\s+)?([\w"`]{1,130})/gi;

function madeForAWhile(text: string): readonly string[] {
  return [...text.matchAll(FOR_A_WHILE)].map(([, name = '']) => name.toLowerCase());
}

/** Ordinary in a private database, but not in a shared one. */
function elsewhere(call: Call, sql: string): void {
  const isReal = isInProduction(call);
  const isRemote = call.walk.effects.some(
    (one) => one.kind === 'network' && one.command === call.index && one.host !== null && !isHere(one.host),
  );
  const how = isReal || isRemote ? statementDeed(sql.slice(0, MAX_READ), isReal) : null;
  const start = sql.slice(0, MAX_READ);
  if (how === null && (weakensServer(start) || endsServer(start))) call.resource('sql', 'change', true, null);
  const isOpaque = call.operands.some(({ template }) => hasUnknown(template));
  if (how === null && isOpaque && promotes(sql.slice(0, MAX_READ)))
    call.resource('sql', 'grant', 'access', null);
  if (how !== null) call.resource('sql', how === 'access' ? 'grant' : 'change', how, null);
}

const MAX_READ = 16 * 1024;

/** True for every row: `where 1=1`, `… or true`. */
const FOR_ALL =
  /\b(?:where|or)\s+(?:true|('[^']{0,20}'|\d{1,9})\s*=\s*\1|1|[\w."`]{1,60}\s{0,9}(?:<=?\s{0,9}(?:now\s{0,9}\(\s{0,9}\)|current_(?:timestamp|date)|sysdate|getdate\s{0,9}\(\s{0,9}\))|(?:>=?|<>|!=)\s{0,9}(?:-?[01]|'')|is\s+not\s+null|i?like\s+'%+'))\s*\)*\s*;?\s*$/i;

/** `EXPLAIN` only shows the plan; with `ANALYZE` the statement runs too. */
const EXPLAIN = /^\s*explain\s+(?:\((?![^)]*analy[sz]e)[^)]*\)\s*|verbose\s+|format\s*=\s*\w+\s+)?$/i;

function isExplained(text: string, at: number): boolean {
  return EXPLAIN.test(text.slice(text.lastIndexOf(';', at) + 1, at));
}

const NAME = String.raw`(?:"(?:[^"]|"")+"|\`[^\`]+\`|\[[^\]]+\]|[\w$]+)`;
/** Allows blanks around the dots, and an omitted name between two dots. */
const NAMES = new RegExp(`\\s*(${NAME}(?:\\s*\\.(?:\\s*${NAME})?)*)(?=[\\s,;)'"]|$)(\\s*,)?`, 'y');

/** Names in a list up to the first other token; null if the first is unknown. */
function namesIn(text: string, from: number): string | null {
  const names: string[] = [];
  NAMES.lastIndex = from;
  for (let more = true; more; ) {
    const [found, name = '', comma] = NAMES.exec(text) ?? [];
    // A list with anything but names may continue with anything.
    if (found === undefined) return null;
    names.push(name.replace(/\s*\.\s*/g, '.').replace(/["`[\]]/g, ''));
    more = comma !== undefined;
  }
  return names.join(', ');
}

/** The statements after it affect another database, perhaps on another machine. */
const OTHER_DATABASE =
  /(?:^|[;\n])[^\S\n]*(?:use\s+|\\(?:u|c|connect)\s+)([\w"`[\]-]+)[ \t]*(?=[;\n]|$)|\b(?:dblink\w*|openrowset|openquery|opendatasource|foreign\s+(?:table|server|schema)|federated|remote(?:secure)?\s*\()|\\(?:u|c|connect)\b|\battach\s+(?!partition\b)|(?:^|\n)[^\S\n]*:(?:connect|r)\s|(?:^|[;\n])[^\S\n]*use\b/gi;

function otherDatabases(call: Call, text: string): void {
  for (const [, name] of text.matchAll(OTHER_DATABASE))
    call.resource('sql', 'use', false, name?.replace(/["`[\]]/g, '') ?? null);
}

const isMySql = ({ name }: Call): boolean => entryFor(name)?.dialect !== undefined;

const LITERAL_OR_COMMENT = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*(?!!)[\s\S]*?(?:\*\/|$)/g;
/** Strings that the server runs as statements. Only some databases escape with a backslash. */
const RUNS_STRINGS =
  /\b(?:exec|execute|prepare|sp_executesql|dblink\w*|\w*query_to_xml|program|concat\w*|format|gexec)\b|\\set\b|\|\||\\'/i;

const NOTHING = /(?!)/;

/** Without comments and without texts that are only stored or compared. MySQL runs comments that begin with a `!`. */
function statementsIn(sql: string, isMySql: boolean): string {
  const keepsStrings = RUNS_STRINGS.test(sql);
  return sql
    .replace(LITERAL_OR_COMMENT, (found) => {
      // In MySQL, `1--1` is a subtraction.
      if (isMySql && /^--\S/.test(found)) return found;
      if (found.startsWith("'")) return keepsStrings ? found : "''";
      return found.startsWith('"') ? found : ' ';
    })
    .replace(isMySql ? /\/\*!\d*|\*\//g : NOTHING, ' ');
}

/** Functions with which a database reads and writes server files or runs programs. */
const BEYOND_THE_DATABASE =
  /\b(?:xp_cmdshell|sys_exec|sys_eval|lo_import|lo_export|pg_read_(?:binary_)?file|load_file\s*\(|into\s+(?:out|dump)file|load_extension|(?:from|to)\s+program)\b/i;

function endOfStatement(text: string, from: number): number {
  const end = text.indexOf(';', from);
  return Math.min(end < 0 ? text.length : end, from + MAX_STATEMENT);
}

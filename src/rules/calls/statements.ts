import type { ToolCall } from '../../model/tools.ts';
import { isForTrial, isProduction } from '../places/trial.ts';
import { snake, type Text } from './texts.ts';

const SQL_KEY = /sql|^(?:query|queries|query_?string|statements?|ddl)$/i;
/** What changes rows, whichever they are. */
const CHANGES_ROWS =
  /(?:^|[;(]|\bas\b)\s*(?:delete\s+from|update(?:\s+only)?)\s+["`[]?([\w."`[\]]+)([\s\S]{0,4000}?)(?=;|$)/gi;
/** Who may log in, who they are, and what they have paid. */
const PEOPLE =
  /(?:^|[."`[_])(?:auth|users?|accounts?|customers?|members?|profiles?|identities|roles?|permissions?|credentials?|subscriptions|payments|invoices)(?:["`\]]?$|[."`\]])/i;
/** One row, or those that are named one by one. */
const NAMES_ROWS =
  /\b\w{0,40}(?:id|uuid|key|email|slug|sku|code|name|token|hash|number)["`\]]?\s{0,9}(?:=|in\s{0,9}\((?!\s{0,9}select))/i;
/** They let many in, or take a guard away. */
const OPENS =
  /\bgrant\s+all\b|\b(?:insert|update|delete|truncate)\b[^;]{0,200}\bto\s+(?:public|anon)\b|\bwith\s+grant\s+option\b|\b(?:superuser|bypassrls|createrole)\b|\b(?:drop|alter)\s+policy\s|\b(?:disable|no\s+force)\s+row\s+level\s+security\b|\bdisable\s+trigger\b/i;
const GRANTS =
  /^\s*(?:grant|revoke|(?:create|alter|drop)\s+(?:role|user|login)|alter\s+default\s+privileges|(?:drop|alter)\s+policy|alter\s+table)\s/im;
/** Somebody gets another password. */
const PASSWORD = /\balter\s+(?:role|user|login)\s[^;]{1,200}\b(?:password|identified\s+by)\b/i;
const STRING = /'[^']*'/g;
const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//g;

/** What a call changes that a command line says, and that is ordinary but for where or to whom it happens. */
export function changesWith(tool: ToolCall, texts: readonly Text[]): 'destructive' | 'access' | null {
  if (stopsAll(tool, texts)) return 'destructive';
  const places = texts.filter(({ key }) => !SQL_KEY.test(key));
  const own = tool.mcp === null ? [] : [{ key: '', text: tool.mcp.server }];
  const isReal = isProduction([...places, ...own]);
  if (!isReal && [...places, ...own].some(({ text }) => isForTrial(text))) return null;
  const statements = texts.flatMap(({ key, text }) =>
    SQL_KEY.test(key) ? [text.slice(0, LONGEST).replace(STRING, "'x'").replace(COMMENT, ' ')] : [],
  );
  if (statements.some((one) => PASSWORD.test(one) || (GRANTS.test(one) && (isReal || OPENS.test(one)))))
    return 'access';
  return statements.some((one) => changesRows(one, isReal)) ? 'destructive' : null;
}

function changesRows(statement: string, isReal: boolean): boolean {
  return [...statement.matchAll(CHANGES_ROWS)].some(([, table = '', rest = '']) => {
    if (isReal) return true;
    const [, condition = ''] = /\bwhere\b([\s\S]*)$/i.exec(rest) ?? [];
    const isNamed = NAMES_ROWS.test(condition) && !/\bor\b/i.test(condition);
    return PEOPLE.test(table) && !isNamed;
  });
}

const LONGEST = 16 * 1024;
const SIZE_KEY =
  /^(?:replicas?|replica_count|desired_(?:count|capacity|size)|instances?|instance_count|num_instances|machine_count|node_count|count|size|quantity|min_(?:instances|replicas))$/;
const RESIZES = /(?:^|_)(?:scale|resize|autoscale|set_(?:instance|node|replica|machine)s?(?:_count)?)(?:_|$)/;
const SURE_KEY = /^(?:replicas?|desired_(?:count|capacity))$/;
const DEEPEST = 5;

/** None of it runs any more, where it is not there to be tried out. */
function stopsAll({ mcp, nativeName, input }: ToolCall, texts: readonly Text[]): boolean {
  const verb = snake(mcp?.tool ?? nativeName);
  if (/(?:^|_)(?:get|list|describe)(?:_|$)/.test(verb)) return false;
  const isEmpty = namesOfZero(input, DEEPEST).some(
    (key) => SURE_KEY.test(key) || (SIZE_KEY.test(key) && RESIZES.test(verb)),
  );
  return isEmpty && !texts.some(({ text }) => isForTrial(text));
}

function namesOfZero(value: object, depth: number): readonly string[] {
  if (depth === 0) return [];
  return Object.entries(value)
    .slice(0, 100)
    .flatMap(([name, one]) => {
      if (one === 0 || one === '0') return [snake(name)];
      return typeof one === 'object' && one !== null ? namesOfZero(one, depth - 1) : [];
    });
}

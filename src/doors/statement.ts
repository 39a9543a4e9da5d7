/** What changes rows, whichever they are. */
const CHANGES_ROWS = /(?:^|[;(]|\bas\b)\s*(?:delete\s+from|update(?:\s+only)?)\s+["`[]?([\w."`[\]]+)/gi;
/** Who may log in, who they are, and what they have paid. */
const PEOPLE =
  /(?:^|[."`[_])(?:auth|users?|accounts?|customers?|members?|profiles?|identities|roles?|permissions?|credentials?|subscriptions|payments|invoices)(?:["`\]]?$|[."`\]])/i;
/** One row, or those that are named one by one. */
const NAMES_ROWS =
  /\b\w{0,40}(?:id|uuid|key|email|slug|sku|code|name|token|hash|number)["`\]]?\s{0,9}(?:=\s{0,9}(?![\s"`[a-z_])|=\s{0,9}lower\s{0,9}\(|in\s{0,9}\((?!\s{0,9}select))/i;
/** They let many in, or take a guard away. */
const OPENS =
  /\bgrant\s+all\b|\b(?:insert|update|delete|truncate)\b[^;]{0,200}\bto\s+(?:public|anon)\b|\bwith\s+grant\s+option\b|\b(?:superuser|bypassrls|createrole)\b|\b(?:drop|alter)\s+policy\s|\b(?:disable|no\s+force)\s+row\s+level\s+security\b|\bdisable\s+trigger\b/i;
const GRANTS =
  /(?:^|;)[^\S\n]*(?:grant|revoke|(?:create|alter|drop)\s+(?:role|user|login)|alter\s+default\s+privileges|(?:drop|alter)\s+policy|alter\s+table)\s/im;
/** Somebody gets another password. */
const PASSWORD = /\balter\s+(?:role|user|login)\s[^;]{1,200}\b(?:password|identified\s+by)\b/i;
/** Each of these may hold the signs of the others. */
const STRING_OR_COMMENT = /'[^']*(?:'|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
/** Others lose their connections, a copy, or what makes one. */
const SERVER =
  /\bpg_(?:terminate_backend|drop_replication_slot)\s*\(|\balter\s+system\b|\breset\s+master\b|\bpurge\s+(?:binary|master)\s+logs\b|\bstop\s+(?:replica|slave)\b|\bshutdown\b\s*(?:;|$)/i;

/**
 * What SQL changes that is ordinary but for where, or to whom, it happens: who may do what, and rows of people. `isReal`
 * says that customers use the database.
 */
export function statementDeed(sql: string, isReal: boolean): 'destructive' | 'access' | null {
  const text = plain(sql);
  if (PASSWORD.test(text) || (GRANTS.test(text) && (isReal || OPENS.test(text)))) return 'access';
  return SERVER.test(text) || changesRows(text, isReal) ? 'destructive' : null;
}

/** Without what is only said in it. */
function plain(sql: string): string {
  return sql.replace(STRING_OR_COMMENT, (found) => (found.startsWith("'") ? "'x'" : ' '));
}

const REMOVES =
  /(?:^|;)\s*(?:drop\s+(?:database|schema|table|keyspace|measurement|user|role)\s|truncate\s+(?:table\s|\w+\s*(?:;|$))|(?:delete\s+from|update\s+\S+\s+set)\s(?![^;]{0,4000}\bwhere\b)[^;]{0,4000}(?:;|$))/i;

/** Whether a text is SQL that takes away more than rows that it chooses. */
export function removesRows(text: string): boolean {
  return STARTS.test(text) && REMOVES.test(plain(text.slice(0, LONGEST)));
}

/** As no text begins that is no statement. */
const STARTS =
  /^\s{0,99}(?:--|\/\*|(?:drop|truncate|delete\s+from|alter|select|insert|begin|use|set|with)\s|update\s+\S+\s+set\s)/i;
const LONGEST = 16 * 1024;

function changesRows(statement: string, isReal: boolean): boolean {
  return [...statement.matchAll(CHANGES_ROWS)].some(({ 0: found, 1: table = '', index }) => {
    if (isReal) return true;
    const rest =
      statement.slice(index + found.length, index + found.length + LONGEST_ROWS).split(';', 1)[0] ?? '';
    const [, condition = ''] = /\bwhere\b([^;]*)/i.exec(rest) ?? [];
    const isNamed = NAMES_ROWS.test(condition) && !/\bor\b/i.test(condition);
    return PEOPLE.test(table) && !isNamed;
  });
}

const LONGEST_ROWS = 4000;

/** Changes rows without selecting them. */
const CHANGES_ROWS = /(?:^|[;(]|\bas\b)\s*(?:delete\s+from|update(?:\s+only)?)\s+["`[]?([\w."`[\]]+)/gi;
/** Accounts, identities and payments. */
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
/** An account gets another password. */
const PASSWORD = /\balter\s+(?:role|user|login)\s[^;]{1,200}\b(?:password|identified\s+by)\b/i;
/** Each of these may hold the signs of the others. */
const STRING_OR_COMMENT = /'[^']*(?:'|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
/** Others lose connections, a copy, or what makes one. */
const SERVER =
  /\bpg_(?:terminate_backend|drop_replication_slot)\s*\(|\balter\s+system\b|\breset\s+master\b|\bpurge\s+(?:binary|master)\s+logs\b|\bstop\s+(?:replica|slave)\b|\bshutdown\b\s*(?:;|$)/i;

/**
 * SQL changes that matter only because of their target: permissions, and rows about people. `isReal` says that
 * customers use the database.
 */
export function statementDeed(sql: string, isReal: boolean): 'destructive' | 'access' | null {
  const text = plain(sql);
  if (PASSWORD.test(text) || (GRANTS.test(text) && (isReal || OPENS.test(text)))) return 'access';
  if (SERVER.test(text) || weakensServer(sql) || changesRows(text, isReal)) return 'destructive';
  return promotes(sql) ? 'access' : null;
}

/** Safety settings of a server: it writes to disk, keeps logs, and authenticates. */
const WEAKENS =
  /\balter\s+system\s+set\s+(?:fsync|synchronous_commit|full_page_writes|log_\w{1,40}|logging_collector|archive_(?:mode|command)|ssl|wal_level|password_encryption|row_security)\s{0,9}(?:=|\bto\b)\s{0,9}'?(?:off|none|false|0|minimal|-1|md5|')|\bset\s+(?:(?:global|persist)\s+|@@(?:global|persist)\.)(?:general_log|slow_query_log|audit_log\w{0,40}|log_bin\w{0,30}|innodb_flush_log_at_trx_commit|sync_binlog|innodb_doublewrite|require_secure_transport|validate_password\w{0,40})\s{0,9}=\s{0,9}'?(?:off|0|low)|\bset\s+(?:session\s+)?sql_log_bin\s{0,9}=\s{0,9}'?(?:0|off)|\buninstall\s+(?:plugin|component)\b|\bnoaudit\b|\bdrop\s+(?:server\s+|database\s+)?audit\b|\balter\s+(?:server|database)\s+audit\b[^;]{0,200}\bstate\s{0,9}=\s{0,9}off|\bset\s+recovery\s+simple\b|\bdata_retention_time_in_days\s{0,9}=\s{0,9}0\b|\bflush\s+tables\s+with\s+read\s+lock\b|\bsystem\s+(?:stop|shutdown|kill)\b|\bwhen\s+matched\s+then\s+delete\b|\bsp_configure\s+'xp_cmdshell'|\bsp_addsrvrolemember\b/i;
const COMMENT = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** True if SQL disables what protects a server's data or logs. */
export function weakensServer(sql: string): boolean {
  return WEAKENS.test(sql.replace(COMMENT, ' '));
}

const PROMOTES =
  /\bupdate\s[^;]{1,300}?\bset\b(?:(?!\bwhere\b)[^;]){0,600}?(?:\b(?:is_?)?(?:super_?user|super_?admin|admin|staff|owner|root)\w{0,12}["`\]]?\s{0,9}=\s{0,9}(?:true|1\b|'(?:t|true|1|y|yes)')|\b(?:\w{0,20}_)?(?:roles?|user_?type|permissions?|privileges?|access_?level|groups?)["`\]]?\s{0,9}=\s{0,9}'[^']{0,40}(?:admin|owner|root|super|\*)[^']{0,20}')|\binsert\s+into\s+[\w."`]{0,60}(?:admins?|user_?roles?|user_?groups|role_?assignments?|memberships?)\b[^;]{0,600}\b(?:values|select)\b/i;

/** On a server of one's own as well: who speaks to it all lose their connection, or its copies lose their place. */
const ENDS_SERVER =
  /\bpg_terminate_backend\s*\((?![^;]{0,400}\b(?:datname|pid)\s{0,9}=)|\breset\s+(?:master|replica|slave\s+all|binary\s+logs)\b|\bpurge\s+(?:binary|master)\s+logs\b|\bgrant\s+all\b[^;]{0,60}\bon\s+\*\.\*[^;]{0,100}@\s{0,9}["'`]%/i;

export function endsServer(sql: string): boolean {
  return ENDS_SERVER.test(sql.replace(COMMENT, ' '));
}

/** True if a user gets full access, as far as rows say. */
export function promotes(sql: string): boolean {
  return PROMOTES.test(sql.replace(COMMENT, ' '));
}

/** Without what is only said in it. */
function plain(sql: string): string {
  return sql.replace(STRING_OR_COMMENT, (found) => (found.startsWith("'") ? "'x'" : ' '));
}

const REMOVES =
  /(?:^|;)\s*(?:drop\s+(?:database|schema|table|keyspace|measurement|user|role)\s|truncate\s+(?:table\s|\w+\s*(?:;|$))|(?:delete\s+from|update\s+\S+\s+set)\s(?![^;]{0,4000}\bwhere\b)[^;]{0,4000}(?:;|$))/i;

/** True if SQL deletes more than selected rows. */
export function removesRows(text: string): boolean {
  return STARTS.test(text) && REMOVES.test(plain(text.slice(0, LONGEST)));
}

/** As no text begins that is not a statement. */
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

import { factWords } from '../../knowledge/facts.ts';
import type { Facts } from '../../knowledge/program.ts';
import { UNKNOWN } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import type { CodeTable } from '../tool.ts';
import { runSqlFile, runSqlInput } from '../tools/spoken.ts';
import { sqlEffects } from '../tools/sql.ts';

/** SQL that a database client gets in options and on its input. */
function sqlClient(call: Call, facts: Facts): string {
  const host = call.value(...factWords(facts, 'host'));
  const address = call.operands.find((word) => /^\w+:\/\//.test(word.template));
  const named = /@([^/:@]+)/.exec(address?.template ?? '')?.[1] ?? null;
  if (host || address) call.network({ host: host ? host.text : named, url: address?.text ?? null });
  for (const file of call.values(...factWords(facts, 'file'))) runSqlFile(call, file);
  for (const { template } of call.values(...factWords(facts, 'script'))) sqlEffects(call, template);
  runSqlInput(call);
  return UNKNOWN;
}

function sqlite(call: Call): string {
  const [database, ...scripts] = call.operands;
  call.read(database ?? null);
  if (database) call.write(database);
  const given = [...scripts, ...call.values('--cmd', '-c', '-s')].map(({ template }) => template);
  const texts = [...given, call.command.stdin.template];
  const isInMemory = database === undefined && given.length > 0 && !given.some((text) => OPENS.test(text));
  for (const text of texts) {
    if (!isInMemory) sqlEffects(call, text);
    dotOrders(call, text);
  }
  return UNKNOWN;
}

/** Opens a database on disk. */
const OPENS = /\battach\b|\bcopy\b|^[^\S\n]*\.|[\ue000-\uf8ff]/im;

/** Lines that begin with a dot are commands for the client. */
function dotOrders(call: Call, text: string): void {
  for (const [, line = ''] of text.matchAll(/^[^\S\n]*\.(?:shell|system)\s+(.+)$/gm)) call.runText(line);
  for (const [, file = ''] of text.matchAll(/^[^\S\n]*\.(?:open|connection)\s+(?:-\S+\s+)*['"]?([^\s'"]*)/gm))
    call.resource('sql', 'use', false, file);
  for (const [, verb = '', file = ''] of text.matchAll(DOT_FILE)) {
    if (/read|import|load/.test(verb)) call.read(literal(file));
    if (verb !== 'load') call.write(literal(file));
    else call.execute('file', call.path(literal(file)).path);
  }
}

const DOT_FILE = /^[^\S\n]*\.(read|import|output|once|backup|save|load)\s+(?:-\S+\s+)*['"]?([^\s'"|]+)/gm;

/** Versions before 2 take a dialect of SQL, later ones subcommands. */
function influx(call: Call): undefined {
  for (const { template } of call.values('--execute')) sqlEffects(call, template);
}

const REDIS =
  /^(?:flushall|flushdb|del|unlink|shutdown|config|debug|script|function|eval|replicaof|slaveof|migrate|rename|swapdb|failover|cluster)$/i;

function redis(call: Call): string {
  const host = call.value('-h');
  call.network({
    host: host ? host.text : (/@([^/:@]+)/.exec(call.value('-u')?.template ?? '')?.[1] ?? null),
  });
  const lines =
    call.operands.length > 0
      ? [call.operands.map((word) => word.template).join(' ')]
      : call.command.stdin.template.split('\n');
  for (const line of lines.slice(0, 50)) {
    const [verb = '', ...rest] = line.trim().split(/\s+/);
    if (REDIS.test(verb)) {
      const destructive =
        /^(?:flush|del$|unlink|shutdown|swapdb)/i.test(verb) || /\b(?:flush|reset)\b/i.test(rest[0] ?? '');
      call.resource('redis', verb.toLowerCase(), destructive, rest.join(' ') || null);
    }
  }
  return UNKNOWN;
}

const MONGO =
  /\b(dropDatabase|dropCollection|dropIndexes?|dropUser|drop|deleteMany|deleteOne|remove|updateMany|findOneAndDelete|bulkWrite|shutdownServer)\s*\(\s*(\{\s*\})?/g;

/** The statements after it affect another database, perhaps on another machine. */
const MONGO_ELSEWHERE =
  /\bgetSiblingDB\(\s*['"]([\w-]+)['"]\s*\)|(?:^|[;\n])[^\S\n]*use\s+([\w-]+)|\b(?:getSiblingDB|getMongo|Mongo|connect|load|require|listDatabases|getDBNames|adminCommand)\s*\(/g;

function mongo(call: Call): string {
  const [address] = call.operands;
  call.network({
    host:
      /@?([^/:@]+)(?::\d+)?(?:\/|$)/.exec(address?.template.replace(/^\w[\w+]*:\/\//, '') ?? '')?.[1] ?? null,
  });
  for (const file of call.values('--file')) call.read(file);
  for (const script of [...call.values('--eval').map((word) => word.template), call.command.stdin.template]) {
    for (const [, action = '', empty] of script.matchAll(MONGO)) {
      const destructive =
        /^drop|^shutdown/.test(action) ||
        (/^(?:deleteMany|remove|updateMany)$/.test(action) && empty !== undefined);
      call.resource('mongodb', action, destructive, null);
    }
    for (const [, sibling, used] of script.matchAll(MONGO_ELSEWHERE))
      call.resource('mongodb', 'use', false, sibling ?? used ?? null);
  }
  return UNKNOWN;
}

/** Cypher deletes every match, with all its relations. */
function cypher(call: Call): string {
  const [query] = call.operands;
  for (const text of [query?.template ?? '', call.command.stdin.template]) {
    const action = /\b(?:detach\s+)?(delete|drop)\b/i.exec(text)?.[1];
    if (action) call.resource('database', action.toLowerCase(), !/\bwhere\b|\{\s*\w+\s*:/i.test(text), null);
  }
  call.network({ host: call.value('--address')?.text ?? null });
  return UNKNOWN;
}

/** BigQuery takes SQL as arguments. */
function bqQuery(call: Call): undefined {
  for (const { template } of call.operands) sqlEffects(call, template);
}

export const DATABASES: CodeTable = {
  'sql-client': sqlClient,
  sqlite,
  influx,
  redis,
  mongo,
  cypher,
  'bq-query': bqQuery,
};

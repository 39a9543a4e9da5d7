import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import type { ToolTable } from '../tool.ts';
import { service } from './service-verbs.ts';
import { sqlEffects } from './sql.ts';

function client(
  hostOptions: readonly string[],
  scriptOptions: readonly string[],
  fileOptions: readonly string[],
) {
  return (call: Call): string => {
    const host = call.value(...hostOptions);
    const address = call.operands.find((word) => /^\w+:\/\//.test(word.template));
    const named = /@([^/:@]+)/.exec(address?.template ?? '')?.[1] ?? null;
    if (host || address) call.network({ host: host ? host.text : named, url: address?.text ?? null });
    for (const file of call.values(...fileOptions)) call.read(file);
    const scripts = [
      ...call.values(...scriptOptions).map((word) => word.template),
      call.command.stdin.template,
    ];
    for (const script of scripts) sqlEffects(call, script);
    return UNKNOWN;
  };
}

function sqlite(call: Call): string {
  const [database, ...scripts] = call.operands;
  call.read(database ?? null);
  if (database) call.write(database);
  const given = [...scripts, ...call.values('--cmd')].map(({ template }) => template);
  for (const text of [...given, call.command.stdin.template]) {
    sqlEffects(call, text);
    dotOrders(call, text);
  }
  return UNKNOWN;
}

/** Lines that begin with a dot are for the program itself. */
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

/** Versions before 2 take a kind of SQL, later ones words. */
function influx(call: Call): undefined {
  for (const { template } of call.values('--execute')) sqlEffects(call, template);
  service('database')(call);
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
  /\b(dropDatabase|dropCollection|dropIndexes?|dropUser|drop|deleteMany|deleteOne|remove|findOneAndDelete|bulkWrite|shutdownServer)\s*\(\s*(\{\s*\})?/g;

/** What comes after it is about another database, perhaps on another machine. */
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
        /^drop|^shutdown/.test(action) || (/^(?:deleteMany|remove)$/.test(action) && empty !== undefined);
      call.resource('mongodb', action, destructive, null);
    }
    for (const [, sibling, used] of script.matchAll(MONGO_ELSEWHERE))
      call.resource('mongodb', 'use', false, sibling ?? used ?? null);
  }
  return UNKNOWN;
}

const drops =
  (system: string, action: string) =>
  (call: Call): undefined => {
    const target: Word | undefined = call.operands.at(-1);
    call.resource(system, action, true, target?.text ?? null);
  };

/** The query language of graphs: what is matched is deleted, with all that hangs on it. */
function cypher(call: Call): string {
  const [query] = call.operands;
  for (const text of [query?.template ?? '', call.command.stdin.template]) {
    const action = /\b(?:detach\s+)?(delete|drop)\b/i.exec(text)?.[1];
    if (action) call.resource('database', action.toLowerCase(), !/\bwhere\b|\{\s*\w+\s*:/i.test(text), null);
  }
  call.network({ host: call.value('--address')?.text ?? null });
  return UNKNOWN;
}

/** BigQuery: what it takes away by its own words, and by SQL. */
function bq(call: Call): undefined {
  service('gcloud')(call);
  if (call.command.sub[0] === 'query') for (const { template } of call.operands) sqlEffects(call, template);
}

const PSQL =
  'c,command= f,file= d,dbname= h,host= p,port= U,username= v,set= A t,tuples-only q,quiet X 1,single-transaction o,output= l,list w W e E a b n F= R= L,log-file=';
const MYSQL =
  'e,execute= h,host= P,port= u,user= p? password? D,database= S,socket= B N s t v f,force defaults-file= protocol= A init-command=';

export const DATABASES: ToolTable = {
  psql: {
    options: PSQL,
    writes: ['--output', '--log-file'],
    run: client(['--host'], ['--command'], ['--file']),
  },
  mysql: { options: MYSQL, run: client(['--host'], ['--execute', '--init-command'], ['--defaults-file']) },
  mariadb: { options: MYSQL, run: client(['--host'], ['--execute'], ['--defaults-file']) },
  mysqladmin: {
    options: MYSQL,
    run: (call) => {
      if (call.operands.some((word) => /^(?:drop|shutdown|flush-.*)$/.test(word.template)))
        call.resource('sql', 'drop database', true, call.operands[1]?.text ?? null);
      return undefined;
    },
  },
  sqlcmd: { options: 'S= U= P= d= Q= q= i= o= E', run: client(['-S'], ['-Q', '-q'], ['-i']) },
  clickhouse: {
    options: 'h,host= q,query= u,user= password= d,database=',
    run: client(['--host'], ['--query'], []),
  },
  'clickhouse-client': {
    options: 'h,host= q,query= u,user= password= d,database=',
    run: client(['--host'], ['--query'], []),
  },
  cqlsh: { options: 'e,execute= f,file= u= p= k=', run: client([], ['--execute'], ['--file']) },
  duckdb: { options: 'c= cmd= s=', run: sqlite },
  snowsql: {
    options: 'q,query= f,filename= a= u= d= s= w= r= o= c=',
    run: client([], ['--query'], ['--filename']),
  },
  influx: {
    options: 'host= port= execute= database= username= password= f,force n,name= o,org= t,token=',
    singleDash: true,
    sub: 2,
    run: influx,
  },
  trino: {
    options: 'execute= server= catalog= schema= f,file=',
    run: client(['--server'], ['--execute'], ['--file']),
  },
  presto: {
    options: 'execute= server= catalog= schema= f,file=',
    run: client(['--server'], ['--execute'], ['--file']),
  },
  cockroach: {
    options: 'e,execute= url= host= insecure d,database=',
    sub: 1,
    run: client(['--host'], ['--execute'], []),
  },
  'spark-sql': {
    options: 'e= f= i= database= hiveconf= conf= master=',
    run: client([], ['-e'], ['-f', '-i']),
  },
  hive: {
    singleDash: true,
    options: 'e= f= i= database= hiveconf= S v',
    run: client([], ['-e'], ['-f', '-i']),
  },
  beeline: { singleDash: true, options: 'u= n= p= e= f= i=', run: client(['-u'], ['-e'], ['-f', '-i']) },
  'impala-shell': {
    options: 'i,impalad= q,query= f,query_file= d,database= o,output_file= B',
    writes: ['--output_file'],
    run: client(['--impalad'], ['--query'], ['--query_file']),
  },
  vsql: {
    options: 'c,command= f,file= h,host= d,dbname= U,username= w=',
    run: client(['--host'], ['--command'], ['--file']),
  },
  'mssql-cli': { options: 'S= U= P= d= Q= i= o= E', run: client(['-S'], ['-Q'], ['-i']) },
  litecli: { options: 'e,execute=', run: client([], ['--execute'], []) },
  usql: { options: 'c,command= f,file=', run: client([], ['--command'], ['--file']) },
  pgcli: { options: PSQL, run: client(['--host'], ['--command'], ['--file']) },
  mycli: { options: MYSQL, run: client(['--host'], ['--execute'], []) },
  bq: { options: 'project_id= dataset_id= f r use_legacy_sql= format= max_rows=', sub: 1, run: bq },
  'cypher-shell': { options: 'a,address= u,username= p,password= d,database= f,file= P,param=', run: cypher },
  sqlite3: {
    singleDash: true,
    options: 'cmd= separator= init= csv json header column readonly bail',
    run: sqlite,
  },
  dropdb: {
    options: 'f,force i,interactive if-exists h,host= p,port= U,username= e w W maintenance-db=',
    run: drops('sql', 'drop database'),
  },
  dropuser: {
    options: 'i,interactive if-exists h,host= p,port= U,username=',
    run: drops('sql', 'drop user'),
  },
  pg_restore: {
    options: 'c,clean C,create d,dbname= h,host= U,username= f,file= j= t= n= if-exists',
    operands: 'read',
    run: (call) => {
      if (call.has('--clean'))
        call.resource('sql', 'restore --clean', true, call.value('--dbname')?.text ?? null);
      return undefined;
    },
  },
  pg_dump: {
    options: 'f,file= d,dbname= h,host= p,port= U,username= F,format= c,clean t,table= n,schema= s a',
    writes: ['--file'],
  },
  mysqldump: { options: `${MYSQL} r,result-file= all-databases`, writes: ['--result-file'] },
  'redis-cli': {
    options:
      'h= p= s= a= u= n= r= i= x c e raw user= pass= tls no-auth-warning eval= scan pattern= bigkeys rdb=',
    stop: true,
    run: redis,
  },
  'valkey-cli': { options: 'h= p= s= a= u= n= r= i= x c raw', stop: true, run: redis },
  mongosh: { options: 'eval= f,file= host= port= u,username= p,password= quiet norc nodb', run: mongo },
  mongo: { options: 'eval= host= port= u,username= p,password= quiet', run: mongo },
  mongorestore: {
    options: 'drop uri= h,host= d,db= archive? gzip',
    run: (call) => {
      if (call.has('--drop')) call.resource('mongodb', 'restore --drop', true, null);
      return undefined;
    },
  },
  memcflush: { run: drops('memcached', 'flush') },
};

import { UNKNOWN } from '../analysis.ts';
import { hasUnknown } from '../placeholders.ts';
import { runArgv } from './argv.ts';
import type { Evaluation } from './evaluate.ts';
import { ANYTHING, derived, NOTHING, textOf, textValue, union, type Value } from './values.ts';

/** Properties that refer to the object itself. */
const ITSELF =
  /^(?:fullname|path|pspath|value|values|providerpath|source|definition|length|localpath|absoluteuri|originalstring|defaultdisplayset|target|linktarget|keys|scriptblock|currentdomain|assembly|default|utf8|unicode|ascii|currentdirectory)$/;
/** Properties about the object that reveal nothing of its content. */
const ABOUT =
  /^(?:length|count|longlength|exists|statuscode|lastwritetime\w*|creationtime\w*|lastaccesstime\w*|isreadonly|psiscontainer|id|cpu|exitcode|hasexited|major|minor|build|isabsolute)$/;

export function property(owner: Value, name: string): Value {
  const known = owner.table?.get(name);
  if (known) return known;
  if (ABOUT.test(name)) return ANYTHING;
  if (ITSELF.test(name) || owner.type !== null) return owner;
  if (/^(?:directoryname|directory|parent|psparentpath)$/.test(name))
    return textValue(...owner.items.map((item) => item.slice(0, Math.max(item.lastIndexOf('/'), 0)) || '.'));
  if (/^(?:name|pschildname|basename)$/.test(name))
    return textValue(
      ...owner.items.map((item) => (/[*]/.test(item) ? UNKNOWN : item.slice(item.lastIndexOf('/') + 1))),
    );
  return owner.isCode ? owner : derived(owner);
}

/** Methods that only compute, or change nothing outside the program. */
const COMPUTES: ReadonlySet<string> = new Set(
  (
    'tostring trim trimstart trimend split replace substring startswith endswith contains indexof lastindexof indexofany toupper ' +
    'tolower toupperinvariant tolowerinvariant padleft padright insert remove removeat equals compareto tochararray normalize ' +
    'gettype gethashcode add addrange addfirst addlast adddays addhours addminutes addseconds addmilliseconds addmonths addyears ' +
    'subtract clear containskey containsvalue getenumerator movenext toarray tolist sort reverse push pop peek enqueue dequeue ' +
    'trygetvalue match matches ismatch next nextdouble nextbytes start stop reset restart selectsinglenode selectnodes ' +
    'getattribute setattribute appendchild createelement createattribute getelementsbytagname importnode clonenode clone removechild ' +
    'removeall close dispose flush readtoend readline readkey getstring getbytes getchars computehash getfiles getdirectories ' +
    'enumeratefiles getproperties tolocaltime touniversaltime toshortdatestring tolongdatestring toshorttimestring ' +
    'tooadate tofiletime date append appendline appendformat where foreach hasvalue getvalueordefault getvalue item count ' +
    'waitforexit refresh getnamespaceofprefix addnamespace except union intersect unionwith exceptwith intersectwith issubsetof ' +
    'issupersetof first last any all distinct write writeline setequals setvalueindex getlength getupperbound copyto getawaiter getresult ' +
    'isinrole psobject toint32 toint64 todouble getvalues aggregate concat findall find exists indexer tobytearray isdefined'
  ).split(' '),
);

const DOWNLOADS =
  /^(?:downloadstring|downloaddata|openread|getstringasync|getbytearrayasync|getstreamasync|getasync|getresponse|getrequeststream|getresponsestream)(?:async|taskasync)?$/;
const UPLOADS =
  /^(?:upload(?:string|data|values|file)|postasync|putasync|patchasync|sendasync|send)(?:async|taskasync)?$/;

/** Effects of a method call. */
export function callMethod(
  evaluation: Evaluation,
  owner: Value,
  name: string,
  given: readonly Value[],
): Value {
  const web = overNetwork(evaluation, owner, name, given);
  if (web !== null) return web;
  if (/^(?:invoke|invokereturnasis|begininvoke|invokewithcontext)$/.test(name))
    return invoked(evaluation, owner, given);
  if (owner.type === null || owner.items.length > 0) {
    const file = onFile(evaluation, owner, name, given);
    if (file !== null) return file;
  }
  if (name === 'getnetworkcredential')
    return textValue(evaluation.walk.mark({ kind: 'secret', of: 'get-credential' }));
  if (name === 'gettype' && given.length > 0) return unknownMethod(evaluation, name);
  if (name === 'foreach' && given.every(({ blocks, isCode }) => blocks.length === 0 && !isCode))
    return callMethod(evaluation, owner, textOf(given[0] ?? NOTHING).toLowerCase(), given.slice(1));
  if (
    !COMPUTES.has(name) ||
    owner.type?.startsWith('com:') ||
    (OF_THE_MACHINE.test(name) && !isInMemory(owner))
  )
    return unknownMethod(evaluation, name);
  for (const value of given) evaluation.invoke(value, [], owner);
  return computed(owner, name, given);
}

/** These are harmless on a list, but not on a service or a log of the machine. */
const OF_THE_MACHINE = /^(?:clear|stop|restart|reset|write)$/;

const isInMemory = ({ type, table, items }: Value): boolean =>
  type !== null || table !== null || items.length === 0;

/** True if it calls code from elsewhere, a block, or a part of a loaded program. */
function invoked(evaluation: Evaluation, owner: Value, given: readonly Value[]): Value {
  if (owner.blocks.length > 0 || owner.isCode) return evaluation.invoke(owner, given, NOTHING);
  runArgv(evaluation, ['invoke-expression', ...owner.items, UNKNOWN], NOTHING);
  return ANYTHING;
}

function unknownMethod(evaluation: Evaluation, name: string): Value {
  evaluation.walk.fail(`powershell: what the method ${name.slice(0, 40)} does is not known`);
  return ANYTHING;
}

function overNetwork(
  evaluation: Evaluation,
  owner: Value,
  name: string,
  given: readonly Value[],
): Value | null {
  const [address = NOTHING, second = NOTHING] = given;
  if (/^downloadfile/.test(name))
    return runArgv(evaluation, ['invoke-webrequest', textOf(address), '-OutFile', textOf(second)], NOTHING);
  const isSending = UPLOADS.test(name);
  if (!isSending && !DOWNLOADS.test(name)) return null;
  const url = given.length === 0 ? textOf(owner) : textOf(address);
  const what = given.slice(1).flatMap(({ items }) => items);
  const body = name.startsWith('uploadfile') ? '-InFile' : '-Body';
  const sent = isSending ? what.slice(-1).flatMap((item) => [body, item]) : [];
  return runArgv(evaluation, ['invoke-webrequest', url || UNKNOWN, ...sent], NOTHING);
}

/** Methods of files and directories, as the equivalent commands. */
function onFile(evaluation: Evaluation, owner: Value, name: string, given: readonly Value[]): Value | null {
  const [first = NOTHING] = given;
  const isPlace = owner.items.some((item) => /[/~*]|^\.{1,2}$/.test(item) || !hasUnknown(item));
  if (name === 'delete' && isPlace)
    return runArgv(evaluation, ['remove-item', '-Recurse', '-Force', ...owner.items], NOTHING);
  if ((name === 'moveto' || name === 'copyto') && isPlace)
    return runArgv(
      evaluation,
      [name === 'moveto' ? 'move-item' : 'copy-item', ...owner.items, textOf(first)],
      NOTHING,
    );
  if (name === 'save')
    return runArgv(evaluation, ['set-content', textOf(first), textOf(derived(owner))], NOTHING);
  if (name === 'load' && owner.type?.startsWith('xml'))
    return runArgv(evaluation, ['get-content', textOf(first)], NOTHING);
  if (name === 'kill') return runArgv(evaluation, ['stop-process', ...owner.items], NOTHING);
  return null;
}

/** What is known of a text computed from another one. */
function computed(owner: Value, name: string, given: readonly Value[]): Value {
  const [from, to] = given.map(textOf);
  if (
    /^(?:tostring|trim\w*|toarray|getenumerator|clone|tolist|tochararray|normalize|where)$/.test(name) &&
    given.length === 0
  )
    return owner;
  if (name === 'replace' && from !== undefined && to !== undefined && from !== '')
    return { ...owner, items: owner.items.map((item) => item.replaceAll(from, to)) };
  if (/^(?:getstring|getbytes)$/.test(name)) return union(NOTHING, ...given);
  if (/^to(?:upper|lower)/.test(name))
    return {
      ...owner,
      items: owner.items.map((item) => (name.includes('upper') ? item.toUpperCase() : item.toLowerCase())),
    };
  return derived(owner, ...given);
}

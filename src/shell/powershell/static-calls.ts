import { UNKNOWN } from '../analysis.ts';
import { runArgv } from './argv.ts';
import type { Evaluation } from './evaluate.ts';
import type { Expression } from './nodes.ts';
import {
  ANYTHING,
  concatenated,
  derived,
  NOTHING,
  onlyText,
  textOf,
  textValue,
  union,
  type Value,
} from './values.ts';

/** Types that only compute, measure or report. */
const COMPUTE =
  /^(?:math|mathf|string|char|char\[\]|byte|sbyte|u?int(?:16|32|64)?|u?long|u?short|single|double|float|decimal|bool(?:ean)?|switch|datetime(?:offset)?|dateonly|timeonly|timespan|timezoneinfo|guid|version|uri|uribuilder|regex|void|array|enum|type|object|psobject|pscustomobject|ordered|hashtable|xml|nullable|tuple|random|console|bitconverter|stringcomparer|stringcomparison|gc|lazy|linq\.enumerable|numerics\.\w+|semver|management\.automation\.semanticversion|bigint|ipaddress|net\.ipaddress|mailaddress|net\.mail\.mailaddress|cultureinfo|object\[\]|string\[\]|int\[\]|byte\[\]|io\.path|io\.searchoption|io\.fileattributes|io\.filemode|text\.(?:encoding|\w+encoding|stringbuilder|normalizationform|json\.\w+|regularexpressions\.\w+)|collections\..+|globalization\.\w+|diagnostics\.(?:stopwatch|fileversioninfo)|web\.httputility|net\.webutility|net\.(?:servicepointmanager|securityprotocoltype|httpstatuscode|networkinformation\..+)|security\.cryptography\.(?!protecteddata|dataprotection)\w+|security\.principal\.\w+|management\.automation\.(?:language\.\w+|psparser|wildcardpattern|errorrecord|platform)|runtime\.interopservices\.runtimeinformation|threading\.(?:thread|cancellationtokensource)|stringsplitoptions|dayofweek|convert|bitmap|xml\.\w+(?:\.\w+)?|io\.(?:stringreader|stringwriter|memorystream|streamreader|compression\.\w+stream)|psreadline|microsoft\.powershell\.psconsolereadline|argumentexception|exception|invalidoperationexception)(?:\[.*\])?$/;

const READS = /^(?:readall(?:text|lines|bytes)\w*|openread|opentext|readlines\w*)$/;
const WRITES = /^(?:writeall(?:text|lines|bytes)\w*|create|createtext|openwrite)$/;

/** Commands equivalent to static methods of files and directories. */
function fileCall(evaluation: Evaluation, name: string, values: readonly Value[]): Value | null {
  const texts = values.map(textOf);
  const [path = UNKNOWN, second = UNKNOWN] = texts;
  const run = (...words: readonly string[]) => runArgv(evaluation, words, NOTHING);
  if (READS.test(name)) return run('get-content', path);
  if (WRITES.test(name)) return run('set-content', path, ...texts.slice(1, 2));
  if (/^append/.test(name)) return run('add-content', path, ...texts.slice(1, 2));
  if (name === 'delete') return run('remove-item', ...(texts.length > 1 ? ['-Recurse', '-Force'] : []), path);
  if (name === 'move' || name === 'replace') return run('move-item', path, second);
  if (name === 'copy') return run('copy-item', path, second);
  if (name === 'createdirectory') return run('new-item', path);
  if (/^(?:get|enumerate)(?:files|directories|filesystementries)$/.test(name)) return textValue(`${path}/*`);
  if (/^set(?:accesscontrol|attributes)$/.test(name)) return run('set-acl', path);
  return /^(?:exists|get\w+|set(?:current|last|creation)\w+|resolvelinktarget)$/.test(name)
    ? textValue(path)
    : null;
}

/** Effects of a static method call. */
export function callStatic(
  evaluation: Evaluation,
  owner: Value,
  name: string,
  given: readonly Value[] | null,
): Value {
  const { type } = owner;
  const values = given ?? [];
  if (type === null) return unknownCall(evaluation, name);
  if (name === 'new') return created(evaluation, type, values);
  if (
    /^io\.(?:file|directory|fileinfo|directoryinfo)$|^microsoft\.visualbasic\.fileio\.filesystem$/.test(type)
  ) {
    const known = fileCall(evaluation, name.replace(/^delete(?:file|directory)$/, 'delete'), values);
    return known ?? unknownCall(evaluation, name);
  }
  return (
    known(evaluation, type, name, values) ??
    (COMPUTE.test(type) ? computed(type, name, values) : unknownCall(evaluation, `${type}.${name}`))
  );
}

function known(evaluation: Evaluation, type: string, name: string, values: readonly Value[]): Value | null {
  const texts = values.map(textOf);
  const [first = UNKNOWN, second = UNKNOWN] = texts;
  const run = (...words: readonly string[]) => runArgv(evaluation, words, NOTHING);
  if (type === 'environment') return environment(evaluation, name, values);
  if (/^(?:scriptblock|management\.automation\.scriptblock)$/.test(type) && name === 'create')
    return { ...union(NOTHING, ...values), isCode: true };
  if (type === 'reflection.assembly') {
    if (name === 'loadwithpartialname' || name.startsWith('get')) return ANYTHING;
    run('invoke-expression', ...values.flatMap(({ items }) => items), UNKNOWN);
    return { ...ANYTHING, type: 'com:assembly' };
  }
  if (type === 'diagnostics.process')
    return name === 'start' ? run(first, ...texts.slice(1).flatMap((text) => text.split(/\s+/))) : ANYTHING;
  if (/^net\.(?:web|http|file|ftp)\w*request$/.test(type)) return textValue(first);
  if (type === 'net.dns') return run('nslookup', first);
  if (/^io\.compression\.zipfile$/.test(type))
    return run(name === 'extracttodirectory' ? 'expand-archive' : 'compress-archive', first, second);
  if (/^(?:microsoft\.win32\.)?registry$/.test(type)) return run('set-itemproperty', first, second);
  if (type === 'security.cryptography.protecteddata') return run('unprotect-data');
  return null;
}

function environment(evaluation: Evaluation, name: string, values: readonly Value[]): Value {
  const [variable = NOTHING, value = NOTHING, place = NOTHING] = values;
  const wanted = textOf(variable);
  const read = (of: string) => evaluation.value({ kind: 'variable', name: of, splat: false });
  if (name === 'getenvironmentvariable') return read(`env:${wanted.toLowerCase()}`);
  if (name === 'getenvironmentvariables') return runArgv(evaluation, ['printenv'], NOTHING);
  if (name === 'getfolderpath') return textValue(FOLDERS[wanted.toLowerCase()] ?? '~');
  if (name === 'setenvironmentvariable') {
    evaluation.setVariable(`env:${wanted}`, value);
    // Sets the variable for all later programs.
    if (/user|machine|[12]/i.test(textOf(place)))
      runArgv(evaluation, ['setx', wanted, textOf(value)], NOTHING);
    return NOTHING;
  }
  return name === 'currentdirectory' ? textValue('.') : ANYTHING;
}

const FOLDERS: Readonly<Record<string, string>> = {
  startup: '~/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup',
  applicationdata: '~/AppData/Roaming',
  localapplicationdata: '~/AppData/Local',
  windows: '/c/Windows',
  system: '/c/Windows/System32',
  programfiles: '/c/Program Files',
  desktop: '~/Desktop',
  mydocuments: '~/Documents',
};

function computed(type: string, name: string, values: readonly Value[]): Value {
  if (type === 'convert' && name === 'frombase64string')
    return { ...union(NOTHING, ...values.map(decodedText)), decoded: true };
  if (type === 'convert') return derived(...values);
  if (/^text\.\w*encoding$/.test(type) && values.length === 0) return { ...NOTHING, type };
  if (type === 'io.path') {
    if (name === 'combine' || name === 'join')
      return concatenated(values.flatMap((value, at) => (at === 0 ? [value] : [textValue('/'), value])));
    if (/^gettemp/.test(name)) return textValue(name === 'gettemppath' ? '/tmp' : '/tmp/new-file.tmp');
    if (name === 'getfullpath') return union(NOTHING, ...values);
  }
  if (type === 'string' && (name === 'concat' || name === 'format' || name === 'join'))
    return concatenated(values);
  if (values.length === 0) return { ...ANYTHING, type };
  return derived(...values);
}

/** Decodes base64 text in either Windows text encoding. */
function decodedText(value: Value): Value {
  const text = onlyText(value);
  if (text === null || text.length > MAX_DECODED) return derived(value);
  const bytes = Buffer.from(text, 'base64');
  const wide = bytes.length > 1 && bytes[1] === 0;
  const decoded = bytes.toString(wide ? 'utf16le' : 'utf8').replace(/[\0\uE000-\uF8FF]/g, '');
  return textValue(decoded);
}

const MAX_DECODED = 8192;

function unknownCall(evaluation: Evaluation, name: string): Value {
  evaluation.walk.fail(`powershell: what ${name.slice(0, 60)} does is not known`);
  return ANYTHING;
}

/** `New-Object` and `[type]::new()`. */
export function created(evaluation: Evaluation, type: string, values: readonly Value[]): Value {
  const [first = ANYTHING] = values;
  if (/^net\.(?:webclient|http\.httpclient)$/.test(type)) return { ...NOTHING, type };
  if (/^net\.sockets\./.test(type)) {
    runArgv(
      evaluation,
      ['invoke-webrequest', `tcp://${first.items[0] ?? UNKNOWN}`, '-Body', UNKNOWN],
      NOTHING,
    );
    return { ...textValue(evaluation.walk.mark({ kind: 'network', host: onlyText(first) })), type };
  }
  if (/^io\.streamwriter$/.test(type))
    return { ...runArgv(evaluation, ['set-content', textOf(first)], NOTHING), type: 'io.stringwriter' };
  if (/^io\.streamreader$/.test(type)) return runArgv(evaluation, ['get-content', textOf(first)], NOTHING);
  if (/^(?:io\.(?:fileinfo|directoryinfo))$/.test(type)) return first;
  if (/^(?:net\.networkcredential|management\.automation\.pscredential)$/.test(type))
    return derived(...values);
  if (COMPUTE.test(type)) return values.length === 0 ? { ...NOTHING, type } : { ...derived(...values), type };
  return unknownCall(evaluation, `a new ${type}`);
}

/** `[Net.ServicePointManager]::SecurityProtocol = …`. */
export function staticProperty(
  evaluation: Evaluation,
  target: Extract<Expression, { kind: 'member' }>,
  value: Value,
): void {
  const name = textOf(evaluation.value(target.name)).toLowerCase();
  const { type } = evaluation.value(target.of);
  if (type === null || !COMPUTE.test(type) || /callback|certificat/.test(name) || value.blocks.length > 0)
    unknownCall(evaluation, `setting ${name}`);
}

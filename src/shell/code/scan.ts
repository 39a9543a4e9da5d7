import { isShell } from '../../model/programs.ts';
import { UNKNOWN } from '../analysis.ts';
import type { Call } from '../call.ts';
import { hasUnknown, isUnknown } from '../marks.ts';
import { fetchedFrom } from '../memory/fetched.ts';
import { apply, type CodeCall } from './apply.ts';
import { withoutComments } from './comments.ts';
import { runsDownload } from './downloads.ts';
import { withVariables } from './environment.ts';
import { decodes, evaluate, meaning, passedOn } from './evaluated.ts';
import { homeIn, withHome } from './home.ts';
import type { Action, Language } from './language.ts';
import { type Argument, argumentsAt, constant, iterated } from './literals.ts';
import { sendsMails } from './mails.ts';
import { plainNames } from './names.ts';
import { removalOf } from './removals.ts';
import { takesAway } from './requests.ts';
import { loopsIn, turnsOf } from './turns.ts';

const MAX_CODE = 256 * 1024;
const MAX_CALLS = 8000;
// A name is tried from its start only: from each of its letters, a long one would take a time that grows with its square.
const CALL = /(?<![\w$.:])[\w$.:]*[\w$](?=\s*\()/g;
const BARE_CALL =
  /\b(?:system|exec)(?=\$)|(?<![\w$.:])[\w$.:]*[\w$](?=\s*\(|[ \t]+['"%`$@[qA-Z])|\b(?:eval|exec|unlink)(?=[ \t]+\w)/g;
const RECEIVER =
  /(?:Path|Pathname|PurePath|File)(?:\.new)?\(\s*(?:[\w.]+\(\s*)?(['"])((?:(?!\1)[^\\]|\\.)*)\1[^()]*\)+$/;

/** What an inline program does to files, the network and other programs, as far as its text says so. */
export function scanCode(call: Call, code: string, language: Language): void {
  const own = withVariables(code.slice(0, MAX_CODE), call.state);
  const plain = withHome(plainNames(withoutComments(own, language.comments)));
  const text = language.arrows ? plain.replaceAll('->', '.') : plain;
  call.code(homeIn(text));
  if (code.length > MAX_CODE) call.walk.exceed(`${call.name} runs more code than was read`);
  if (hasUnknown(code)) call.walk.lost(`${call.name} runs code of which a part is not known`);
  const before = call.walk.commands.length;
  let calls = 0;
  let runsAnything = false;
  const inMemory = opensMemory(text);
  const loops = loopsIn(text);
  for (const found of text.matchAll(language.bareCalls ? BARE_CALL : CALL)) {
    if (++calls > MAX_CALLS) {
      call.walk.exceed(`${call.name} runs more code than was read`);
      break;
    }
    // In `{'key':open(…)}` the colon is none of a name.
    const name = found[0].replace(/^:(?!:)/, '').replace(/:+/g, '.');
    const open = found.index + found[0].length;
    const mapped = /^(?:array_map|array_walk)$/.test(name)
      ? /^\s*\(\s*['"](\w+)['"]\s*,/.exec(text.slice(open, open + 60))
      : null;
    const action = actionOf(language, mapped?.[1] ?? name);
    if (action === undefined) continue;
    const parenthesis = (mapped ?? /^\s*\(/.exec(text.slice(open, open + 8)))?.[0].length ?? 0;
    const receiver = name.includes('.')
      ? receiverOf(text, found.index + found[0].search(/[.:][^.:]*$/))
      : null;
    for (const bound of turnsOf(loops, text.slice(open, open + 200))) {
      calls++;
      const args = argumentsAt(text, open + parenthesis, bound);
      if (action === 'eval') evaluateIn(call, language, text, open + parenthesis, args);
      else if (action === 'shell' || action === 'dynamic')
        runsAnything =
          made(call, action, { name, receiver, args, inMemory }, text.slice(open, open + 400)) ||
          runsAnything;
      else apply(call, removalOf(action, name, text.slice(open)), { name, receiver, args, inMemory });
      takesAway(call, action, name, args, text.slice(open, open + 800));
    }
  }
  if (language.backticks) backticks(call, text);
  if (call.name === 'bun') shellTags(call, text);
  passedOn(call, text);
  if (WHOLE_ENVIRONMENT.test(text)) sendsEnvironment(call);
  reverseShell(call, before, runsAnything);
  runsDownload(call, before);
  sendsMails(call, text);
}

/** Every database that is opened is one that nobody keeps. */
function opensMemory(text: string): boolean {
  const opened = [...text.matchAll(/\b(?:connect|Database|open|DatabaseSync)\(\s*(['"][^'"]*['"])?/g)];
  return (
    opened.length > 0 &&
    opened.every(([, name]) => /^['"]:memory:['"]$/.test(name ?? '')) &&
    !OTHER_DATABASES.test(text)
  );
}

const OTHER_DATABASES =
  /mysql|maria|postgres|psycopg|\bpg\b|oracle|mssql|odbc|duckdb|sqlalchemy|Connection|Client|Pool|PDO/i;

/** Every variable at once, not one of them by its name. */
const WHOLE_ENVIRONMENT =
  /\bprocess\.env\b(?!\s*[.[?]|\s*=)|\bos\.environ\b(?!\s*[.[]\s*(?!copy|items))|\bENV\.(?:to_h|map|each|inspect)|\bgetenv\(\s*\)|%ENV\b|\$_ENV\b(?!\[)|\bDeno\.env\.toObject|\bos\.Environ\(\)|\benv::vars(?:_os)?\(\)/;

/** A program that has them all in its hands and speaks to another machine. */
function sendsEnvironment(call: Call): void {
  const { effects } = call.walk;
  const reached = effects.find(({ kind, command }) => kind === 'network' && command === call.index);
  if (reached?.kind !== 'network' || reached.direction !== 'out') return;
  call.env('*', 'read', null);
  call.network({ host: reached.host, url: reached.url, sends: true });
}

/** A command line that is put together at run time is judged by what it is made of. Returns whether it may be any. */
function made(call: Call, action: Action, code: CodeCall, expression: string): boolean {
  // What follows the line itself only says how it is run.
  const isAny =
    code.receiver === null &&
    code.args
      .slice(0, 1)
      .flat()
      .every((value) => isUnknown(value));
  const computes = action === 'dynamic' ? !/^(?:getattr|__import__)$/.test(code.name) : isAny;
  if (computes && decodes(expression)) call.execute('decoded');
  apply(call, action, code);
  return action === 'shell' && isAny;
}

/** A program that connects somewhere and starts a shell lets the other side type. */
function reverseShell(call: Call, before: number, runsAnything: boolean): void {
  const host = fetchedFrom(call, [call.index], '');
  const starts = call.walk.commands
    .slice(before)
    .some(({ tool }) => tool !== null && (tool === 'cmd' || isShell(tool)));
  // A line that nobody knows may be one that has just come through the socket.
  const socket = call.walk.effects.some(
    (effect) => effect.kind === 'network' && effect.command === call.index && !effect.url?.includes('://'),
  );
  if (host !== undefined && (starts || (socket && runsAnything))) call.execute('network', null, host);
}

function actionOf(language: Language, name: string): Action | undefined {
  const parts = name.split('.');
  const last = parts.at(-1) ?? '';
  const calls = language.calls;
  if (parts.length === 1) return calls[last];
  return calls[name] ?? calls[parts.slice(-2).join('.')] ?? calls[`.${last}`];
}

/** `/x` of `Path('/x').unlink()`, `(Path.home() / 'x').unlink()` and `p.unlink()` where p was made so. */
function receiverOf(text: string, dot: number): string | null {
  if (dot <= 0) return null;
  const before = text.slice(Math.max(0, dot - 300), dot);
  const plain = RECEIVER.exec(before)?.[2];
  if (plain !== undefined) return homeIn(plain);
  const value = text[dot - 1] === ')' ? bracketed(before) : named(text, before);
  return value === null || value.startsWith(UNKNOWN) ? null : value;
}

function named(text: string, before: string): string | null {
  const literal = /(['"])((?:(?!\1)[^\\\n])*)\1$/.exec(before)?.[2];
  const name = /[A-Za-z_]\w*$/.exec(before)?.[0] ?? '';
  return literal ?? constant(text, name) ?? iterated(text, name);
}

function bracketed(before: string): string | null {
  let depth = 0;
  for (let i = before.length - 1; i >= 0; i--) {
    if (before[i] === ')') depth++;
    else if (before[i] === '(' && --depth === 0) {
      if (
        /[\w.]$/.test(before.slice(0, i)) &&
        !/(?:Path|PurePath|Pathname|File)(?:\.new)?$/.test(before.slice(0, i))
      )
        return null;
      const [value] = argumentsAt(before, i + 1);
      return typeof value === 'string' ? value : null;
    }
  }
  return null;
}

const MAX_EVALUATED = 4;

/** Text that is run as code: read where it is written out, else judged by where it comes from. */
function evaluateIn(
  call: Call,
  language: Language,
  text: string,
  at: number,
  args: readonly Argument[],
): void {
  const [code = UNKNOWN] = args;
  const nested = call.walk.frame.depth < MAX_EVALUATED;
  if (typeof code === 'string' && !hasUnknown(code) && nested) scanCode(call, code, language);
  else evaluate(call, meaning(text, text.slice(at, at + 400)));
}

function backticks(call: Call, text: string): void {
  for (const [, line = ''] of text.matchAll(/`([^`]*)`/g)) call.runText(line.replace(/#\{[^}]*\}/g, UNKNOWN));
  for (const [, round, curly, square, slash] of text.matchAll(
    /(?:%x|\bqx)\s*(?:\(([^)]*)\)|\{([^}]*)\}|\[([^\]]*)\]|\/([^/]*)\/)/g,
  )) {
    call.runText(round ?? curly ?? square ?? slash ?? '');
  }
}

/** Bun's shell: $`rm -rf x`. */
function shellTags(call: Call, text: string): void {
  for (const [, line = ''] of text.matchAll(/\$`([^`]*)`/g))
    call.runText(line.replace(/\$\{[^}]*\}/g, UNKNOWN));
}

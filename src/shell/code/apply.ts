import { UNKNOWN, type Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { hasUnknown, isUnknown, withoutUnknown } from '../placeholders.ts';
import { hostOf } from '../places/hosts.ts';
import { sqlEffects } from '../tools/sql.ts';
import { makeWord } from '../word.ts';
import type { Action } from './language.ts';

/** One argument of a call: a string, a list of strings, or `UNKNOWN`. */
export type Argument = string | readonly string[];

/** A call in a program text: `receiver.name(args)`. */
interface CodeCall {
  readonly name: string;
  readonly receiver: string | null;
  readonly args: readonly Argument[];
  /** True if the program only opens an in-memory database. */
  readonly inMemory: boolean;
}

/** Adds the effects of a call. Returns the output of a program that it runs. */
export function apply(call: Call, action: Action, made: CodeCall): string | undefined {
  const { name, receiver, args } = made;
  const [first = UNKNOWN, second = ''] = args;
  const path = wordOf(receiver ?? first, name);
  switch (action) {
    case 'delete':
    case 'delete-tree':
      for (const word of removed(call, made)) call.remove(word, action === 'delete-tree', true);
      return;
    case 'write':
    case 'append':
      call.write(path, { append: action === 'append' });
      return;
    case 'read':
      readFrom(call, path);
      return;
    case 'open':
      open(call, made);
      return;
    case 'rename':
    case 'copy-tree':
      readFrom(call, path);
      call.write(wordOf(receiver === null ? second : first, name), { below: action === 'copy-tree' });
      return;
    case 'chdir':
      enter(call, path);
      return;
    case 'permission':
      call.permission(path, typeof second === 'string' ? second : null, false);
      return;
    case 'client':
      return;
    case 'network':
    case 'listen':
    case 'download':
      connect(call, action, made);
      return;
    case 'shell':
      return shell(call, made);
    case 'argv':
      return program(call, args, name);
    case 'sql':
      if (typeof first === 'string' && !made.inMemory) sqlEffects(call, first);
      return;
    case 'eval':
    case 'dynamic':
      call.walk.lost(`${call.name} runs code made at run time`);
  }
}

/**
 * Temporary directories. Code that runs before entering one, or without entering one, is judged by the starting
 * directory.
 */
const TEMPORARY = /^\/(?:private\/)?(?:var\/)?tmp(?:\/|$)/;

function enter(call: Call, word: Word): void {
  const { path } = call.path(word);
  if (path !== null && !word.glob && !TEMPORARY.test(path)) call.enter(path);
}

function connect(call: Call, action: Action, { name, args: [first = UNKNOWN, second = ''] }: CodeCall): void {
  call.network(action === 'listen' ? { direction: 'in' } : address(first));
  if (action === 'download' && second !== '') call.write(wordOf(second, name));
}

/** One path, or several in one argument: a list, or the patterns of Perl's `glob`. */
function removed(call: Call, { name, receiver, args: [first = UNKNOWN] }: CodeCall): readonly Word[] {
  if (receiver !== null) return [wordOf(receiver, name)];
  const isPatterns = call.name === 'perl' && typeof first === 'string' && /[*?]/.test(first);
  const places = isPatterns ? first.split(/\s+/) : [first].flat();
  return places.map((place) => wordOf(place, name));
}

function wordOf(argument: Argument, name: string): Word {
  const template = typeof argument === 'string' ? argument : UNKNOWN;
  const raw = isUnknown(template) ? `${name}(…)` : withoutUnknown(template, '…');
  return makeWord(template, raw, /[*?]/.test(template));
}

/** Perl takes the mode before the path or inside it; other languages take it after. */
function open(call: Call, { name, receiver, args }: CodeCall): void {
  const texts = args.map((value) => (typeof value === 'string' ? value : UNKNOWN));
  if (call.name === 'perl') {
    const at = texts.findIndex((text) => /^\s*(?:\+?[<>|]|-\||\|-)/.test(text));
    const mode = texts[at] ?? '';
    const last = texts.at(-1) ?? UNKNOWN;
    if (at < 0 && /\|\s*$/.test(last)) call.runText(last.replace(/\|\s*$/, ''));
    else if (at < 0) call.read(wordOf(last, name));
    else if (/^\s*-?\|/.test(mode))
      call.runText(mode.replace(/^\s*-?\|-?/, '') || (texts[at + 1] ?? UNKNOWN));
    else {
      const target = wordOf(mode.replace(/^\s*\+?[<>]+\s*(?::\S+)?/, '') || (texts[at + 1] ?? UNKNOWN), name);
      if (mode.includes('>')) call.write(target, { append: mode.includes('>>') });
      else call.read(target);
    }
    return;
  }
  const mode = receiver === null ? (texts[1] ?? 'r') : (texts[0] ?? 'r');
  const path = wordOf(receiver ?? texts[0] ?? UNKNOWN, name);
  if (/[wxa+]/.test(mode) || hasUnknown(mode)) call.write(path, { append: mode.startsWith('a') });
  else readFrom(call, path);
}

/** PHP and R accept a URL wherever they accept a file. */
function readFrom(call: Call, word: Word): void {
  if (/^(?:https?|ftp):\/\//i.test(word.template)) call.network(address(word.template));
  else call.read(word);
}

function address(argument: Argument): { host: string | null; url: string | null } {
  if (typeof argument !== 'string') return { host: hostOf(argument[0] ?? null), url: null };
  const host = hasUnknown(argument.split(/[/?#]/, 3).join('/')) ? null : hostOf(withoutUnknown(argument));
  return { host, url: hasUnknown(argument) ? null : argument };
}

/** Calls that run a line on another machine. */
const ELSEWHERE = /(?:^|\.)(?:exec_command|exec!|ssh2_exec)$/;

function shell(call: Call, made: CodeCall): string {
  const { name, receiver, args: given } = made;
  if (ELSEWHERE.test(name)) {
    const line = given.find((one) => typeof one === 'string' && !isUnknown(one));
    return call.runArgv(
      ['ssh', 'host', typeof line === 'string' ? line : UNKNOWN].map((text) => makeWord(text, text)),
    );
  }
  // Groovy: 'line'.execute()
  const isReceived = receiver !== null && given.every((one) => isUnknown(String(one)));
  const args: readonly Argument[] = isReceived ? [receiver] : given;
  const texts = args.flat();
  // Several strings mean a program with its arguments, without a shell.
  if (
    args.length > 1 &&
    args.every((value) => typeof value === 'string' && !isUnknown(value)) &&
    call.name !== 'node'
  ) {
    return call.runArgv(texts.map((text) => makeWord(text, text)));
  }
  if (Array.isArray(args[0])) return call.runArgv(args[0].map((text) => makeWord(text, text)));
  return call.runText(texts[0] ?? UNKNOWN);
}

/** `execl` and its variants name the program twice: once to find it, once as `argv[0]`. */
const NAMES_TWICE = /(?:exec|spawn)l[pe]?e?$/;
const LISTS_ITSELF = /(?:execv|spawnv|posix_spawn)p?e?$/;

function program(call: Call, args: readonly Argument[], name: string): string {
  const [first = UNKNOWN, second] = args;
  const texts = args.filter((value): value is string => typeof value === 'string' && !isUnknown(value));
  if (NAMES_TWICE.test(name) && texts.length > 1)
    return call.runArgv([texts[0] ?? '', ...texts.slice(2)].map((text) => makeWord(text, text)));
  if (typeof first !== 'string') return call.runArgv(first.map((text) => makeWord(text, text)));
  if (!Array.isArray(second)) return call.runText(first);
  const rest = LISTS_ITSELF.test(name) ? second.slice(1) : second;
  return call.runArgv([first, ...rest].map((text) => makeWord(text, text)));
}

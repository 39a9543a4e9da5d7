import { entryOf } from '../../model/lookup.ts';
import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { withoutComments } from '../code/comments.ts';
import { LANGUAGES } from '../code/languages.ts';
import { scanCode } from '../code/scan.ts';
import { fetchedFrom } from '../memory/fetched.ts';
import { hasUnknown, isUnknown, madeOf } from '../placeholders.ts';
import type { CodeTable, TextReader } from '../tool.ts';
import { composedByAwk, composedBySed, concatenated } from '../tools/composed.ts';
import { decodeEscapes } from '../tools/print.ts';
import { handed, runInput } from '../tools/runners.ts';
import { sedActions, sedTexts } from '../tools/sed-script.ts';
import { announce, scriptFile, scriptInput } from '../tools/shells.ts';

function runSed(call: Call): string | undefined {
  const given = call.values('--expression');
  for (const file of call.values('--file')) {
    call.read(file);
    const source = file.text === '-' ? scriptInput(call) : scriptFile(call, file);
    if (!isUnknown(source.template)) sedScript(call, literal(source.template));
    else if (fetchedFrom(call, source.sources, source.template) !== undefined) announce(call, source);
  }
  const inline = given.length === 0 && !call.has('--file');
  const scripts = inline ? call.operands.slice(0, 1) : given;
  const inPlace = call.has('-i', '--in-place', '-I');
  for (const word of call.operands.slice(inline ? 1 : 0)) {
    call.read(word);
    if (inPlace) call.write(word);
    if (inPlace) leaveLines(call, word, scripts);
  }
  for (const script of scripts) sedScript(call, script);
  const [only] = scripts;
  return only && scripts.length === 1 && readsNames(call)
    ? (composedBySed(only.template, madeOf(call.command.stdin.template)) ?? undefined)
    : undefined;
}

/** True if the input is only a list of existing names. */
function readsNames({ walk, command: { stdin } }: Call): boolean {
  return (
    stdin.text === null &&
    stdin.sources.length > 0 &&
    stdin.sources.every((index) => LISTS.test(walk.commands[index]?.tool ?? ''))
  );
}

const LISTS = /^(?:ls|find|fd|git|locate|mdfind|seq|sort|head|tail)$/;

/** Lines added to a file that may be run later: those that begin with a program. */
function leaveLines(call: Call, file: Word, scripts: readonly Word[]): void {
  const { path } = call.path(file);
  const before = path === null ? undefined : call.walk.store.script(path);
  if (path === null || hasUnknown(before?.template ?? '')) return;
  const lines = scripts
    .flatMap(({ template }) => sedTexts(template))
    .flatMap((text) => text.split(/\\?\n/))
    .filter((line) => /^\S+\s+\S/.test(line.trim()) && call.reentry.knows(line.trim().split(/\s+/)[0] ?? ''));
  if (lines.length > 0)
    call.setContent(file, {
      template: [before?.template ?? '', ...lines].join('\n'),
      sources: before?.sources ?? [],
    });
}

function sedScript(call: Call, script: Word): void {
  for (const { does, text } of sedActions(script.template)) {
    call.walk.step();
    if (does === 'read') call.read(literal(text));
    else if (does === 'write') call.write(literal(text));
    else if (text !== '') call.runText(text);
    else {
      call.execute('unknown');
      call.walk.lost('sed runs its input');
    }
  }
}

function runAwk(call: Call): string | undefined {
  const inline = !call.has('--file');
  const inPlace = call.values('--include').some(({ text }) => text === 'inplace');
  for (const word of call.operands.slice(inline ? 1 : 0)) {
    if (/^\w+=/.test(word.template)) continue;
    call.read(word);
    if (inPlace) call.write(word);
  }
  const program = call.value('--source') ?? (inline ? call.operands[0] : null);
  if (!program) return undefined;
  if (program.dynamic) call.walk.lost('awk runs a program that is not known');
  awkProgram(call, program.template);
  return readsNames(call)
    ? (composedByAwk(program.template, madeOf(call.command.stdin.template)) ?? undefined)
    : undefined;
}

const STRING = '"((?:\\\\.|[^"\\\\])*)"';

/** awk writes files or runs programs with these. `$3 > 5` and `a || b` only compare. */
const AWK_ACTS =
  /\bprintf?\b(?:(?!\bprintf?\b)[^;}\n])*(?:>|\|(?!\|))|\|&|\|\s*getline|\bsystem\b|@(?:load|include)/;

/** The argument of `system(…)`, if it is only a sequence of texts and fields. */
const SYSTEM = new RegExp(`\\bsystem\\s*\\(((?:${STRING}|[$\\w\\s])*)(?=\\))|\\bsystem\\b`, 'g');

const MAX_NAMES = 16;

/** Inserts the values of text variables, also for a file or a program: `c = "id"; c | getline`. */
function withTexts(code: string, given: ReadonlyMap<string, string>): string {
  const texts = new Map(given);
  for (const [, name = '', text = ''] of code.matchAll(
    new RegExp(`\\b([A-Za-z_]\\w*)\\s*=\\s*(${STRING})`, 'g'),
  ))
    if (texts.size < MAX_NAMES) texts.set(name, text);
  if (texts.size === 0) return code;
  return code
    .replace(/\b([A-Za-z_]\w*)(?=\s*\|&?\s*getline\b)/g, (name) => texts.get(name) ?? name)
    .replace(
      /((?:>>?|\|&?)\s*)([A-Za-z_]\w*)\b(?!\s*[(=])/g,
      (_, sign: string, name: string) => sign + (texts.get(name) ?? name),
    );
}

/** Variables set before the program or among its files: `-v out=x`, `out=x`. */
function givenTexts(call: Call): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { template } of [...call.values('--assign'), ...call.operands]) {
    const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(template) ?? [];
    if (name !== undefined && texts.size < MAX_NAMES) texts.set(name, JSON.stringify(value));
  }
  return texts;
}

function awkProgram(call: Call, text: string): void {
  const code = withTexts(withoutComments(text, 'hash'), givenTexts(call));
  if (AWK_ACTS.test(code)) call.code(code);
  const host = /"\/inet\d?\/(?:tcp|udp)\/[^/]*\/?([^/"]*)/.exec(code)?.[1];
  if (host !== undefined) {
    call.network({ host: host === '' ? null : host, sends: true });
    if (/[\w)]\s*\|&?\s*getline|system\s*\(/.test(code)) call.execute('network', null, host);
  }
  for (const [, list = ''] of code.matchAll(SYSTEM)) {
    call.walk.step();
    const line = concatenated(list, UNKNOWN);
    // Only makes awk print its value.
    if (list === '""') continue;
    if (line === null || isUnknown(line.trim()) || line.trim() === '') {
      call.execute('unknown');
      call.walk.lost('awk runs a command that is not known');
    } else call.runText(line);
  }
  for (const [, string = ''] of code.matchAll(new RegExp(`\\|&?\\s*${STRING}`, 'g')))
    call.runText(decodeEscapes(string));
  for (const [, string = ''] of code.matchAll(new RegExp(`${STRING}\\s*\\|&?\\s*getline`, 'g')))
    call.runText(decodeEscapes(string));
  for (const [, mark = '', string = ''] of code.matchAll(new RegExp(`(>>?)\\s*${STRING}`, 'g'))) {
    call.walk.step();
    call.write(literal(decodeEscapes(string)), { append: mark === '>>' });
  }
  for (const [, string = ''] of code.matchAll(new RegExp(`getline(?:(?!getline)[^;}"])*<\\s*${STRING}`, 'g')))
    call.read(literal(decodeEscapes(string)));
}

function vim(call: Call): undefined {
  // In Ex mode, `-s` means silent and takes no value; what was read as its value is a file.
  const files = call.has('-e', '-E') ? [...call.operands, ...call.values('-s')] : call.operands;
  // `view FILE` writes only with `!`.
  const looks = call.command.name === 'view' && call.command.options.length === 0;
  for (const word of files) {
    if (word.template.startsWith('+')) continue;
    if (looks) call.read(word);
    else call.write(word);
    // Editor commands run without anyone watching.
    if (!looks && call.has('-c', '-e', '-E', '--cmd')) call.read(word);
  }
  if (call.has('-e', '-E', '-s')) runInput(call);
  const words = call.command.argv;
  // Compares positions as well: the `-c` of `vim -es -c` is not a value of `-s`.
  const commands = new Set([
    ...call.values('-c', '--cmd'),
    ...words.filter(
      ({ template }, at) =>
        template.startsWith('+') ||
        /^(?:-c|--cmd|--remote-(?:send|expr))$/.test(words[at - 1]?.template ?? ''),
    ),
  ]);
  for (const { template } of commands) {
    const text = template.replace(/^\+/, '').replace(/<(?:CR|Enter|Return|NL|Esc)>|<C-[^>]*>/gi, '\n');
    call.code(text);
    vimScript(call, text);
  }
}

/** A file of such commands, and the lines that its functions pass to a shell. */
function vimScript(call: Call, text: string): void {
  handed(call, text);
  for (const line of text.split('\n')) vimCommand(call, line);
}

function vimCommand(call: Call, text: string): void {
  const shell =
    /^:?\s*(?:silent!?\s+)?(?:exe(?:cute)?\s+['"])?(?:%?!|r(?:ead)?\s*!|w(?:rite)?\s*!|(?:term(?:inal)?|!!)\s+)(.+)$/s.exec(
      text,
    )?.[1];
  const [, language = '', code = ''] = /^:?\s*(lua|py(?:thon)?3?|perl|ruby)\b\s*(.*)$/s.exec(text) ?? [];
  const embedded = entryOf(LANGUAGES, language.replace(/^py.*/, 'python'));
  const [, verb, file] =
    /^:?\s*(r(?:ead)?|e(?:dit)?|w(?:rite)?|sav(?:eas)?|so(?:urce)?)!?\s+([^!\s]\S*)\s*$/.exec(text) ?? [];
  if (file !== undefined)
    /^[we]|^sav/.test(verb ?? '') ? call.write(literal(file)) : call.read(literal(file));
  if (file !== undefined && verb?.startsWith('so'))
    call.runArgv([literal('vim'), literal('-S'), literal(file)]);
  const called = /\bsystem(?:list)?\(\s*(['"])(.*?)\1/s.exec(text)?.[2];
  if (shell !== undefined) call.runText(shell);
  else if (called !== undefined) call.runText(called);
  else if (embedded) scanCode(call, code, embedded);
  else if (/\bsystem(?:list)?\(/.test(text)) call.execute('unknown');
}

/** Writes the named file, or any file below the directory: the patch decides. */
function patch(call: Call): undefined {
  if (call.command.inert) return;
  const folder = call.value('--directory');
  const [file] = call.operands;
  if (folder) call.write(literal(`${folder.template}/${UNKNOWN}`));
  call.write(call.value('--output') ?? file ?? null);
  call.read(call.value('--input') ?? call.operands[1] ?? null);
  for (const [, path = ''] of call.command.stdin.template.matchAll(/^\+\+\+ (\S+)/gm)) {
    call.walk.step();
    call.write(literal(path.replace(/^[ab]\//, '')));
  }
}

function yq(call: Call): undefined {
  const isVerb = /^(?:e|ea|eval|eval-all)$/.test(call.operands[0]?.text ?? '');
  const rest = call.operands.slice(isVerb ? 1 : 0);
  // The first word is the expression, unless it is the only one.
  for (const word of rest.length > 1 ? rest.slice(1) : rest) {
    call.read(word);
    if (call.has('--inplace', '--in-place')) call.write(word);
  }
}

function lispFile(call: Call, text: string): void {
  handed(call, text);
  lisp(call, text);
}

/** Effects of an Emacs Lisp program, by the first words of its lists. */
export function lisp(call: Call, code: string): void {
  for (const [, name = '', text = ''] of code.matchAll(LISP)) {
    call.walk.step();
    if (/^(?:async-)?shell-command/.test(name)) call.runText(text);
    else if (/process/.test(name)) call.runText(text.replace(/"\s+(?:nil\s+|t\s+)*"?|"/g, ' '));
    else if (name === 'delete-directory' || name === 'delete-file')
      call.remove(literal(text), name === 'delete-directory', true);
    else if (/^(?:write|append)/.test(name)) call.write(literal(text));
    else call.read(literal(text));
  }
}

const LISP =
  /\(\s*((?:async-)?shell-command(?:-to-string)?|call-process|start-process|delete-directory|delete-file|write-region|write-file|insert-file-contents|load-file|find-file)\s+"((?:[^"\\]|\\.)*)"/g;

function emacs(call: Call): undefined {
  const code = call
    .values('--eval', '--execute')
    .map(({ template }) => template)
    .join('\n');
  call.code(code);
  lisp(call, code);
}

export const EDITORS: CodeTable = { awk: runAwk, emacs, patch, sed: runSed, vim, yq };

/** Files that editors execute. */
export const EDITOR_TEXTS: Readonly<Record<string, TextReader>> = {
  'awk-program': awkProgram,
  'lisp-file': lispFile,
  'vim-script': vimScript,
};

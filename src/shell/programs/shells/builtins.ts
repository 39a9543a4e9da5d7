import { entryOf } from '../../../model/lookup.ts';
import { shellQuoted } from '../../../platform/shell-words.ts';
import { UNKNOWN, type Word } from '../../analysis.ts';
import type { Call } from '../../call.ts';
import { calculated, setByArithmetic } from '../../expand/calculated.ts';
import { homeIn } from '../../expand/parameter.ts';
import { rename } from '../../memory/renames.ts';
import { hasUnknown, madeOf, unknownOf } from '../../placeholders.ts';
import { resolvePath } from '../../places/paths.ts';
import type { CodeTable } from '../../tool.ts';
import { echo, printf } from '../../tools/print.ts';
import { ownText } from '../../tools/shells.ts';
import { joinWords, known, makeWord } from '../../word.ts';

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?)=/;

function changeDirectory(call: Call): string {
  const { state, walk } = call;
  const [given] = call.operands;
  const target = given ?? makeWord(homeIn(walk), '~');
  const { cwd } = state;
  if (target.text === '-') state.cwd = null;
  else if (target.text === null || target.glob || (state.cwd === null && !/^[/~]/.test(target.text))) {
    const { path, among } = call.path(target);
    state.within = among ?? (path === null || !path.startsWith('/') ? undefined : [path]);
    state.cwd = null;
  } else state.cwd = resolvePath(target.text, { cwd, home: walk.home });
  if (target.text !== null) searchFolders(call, target.text, cwd);
  return '';
}

/** With `CDPATH` a name without a dot in front is looked for in other folders first, and only the disk knows where it is. */
function searchFolders({ state, command, walk }: Call, name: string, cwd: string | null): void {
  const own = command.assignments.findLast((one) => one.name === 'CDPATH');
  const searched = own ? (own.value ?? UNKNOWN) : (state.variables.get('CDPATH')?.value ?? '');
  if (searched === '' || /^(?:[/~]|\.{1,2}(?:\/|$))/.test(name)) return;
  const folders = searched.split(':').filter((folder) => /^[/~]/.test(folder) && !hasUnknown(folder));
  state.within = [...folders, ...(cwd === null ? [] : [cwd])].map((folder) =>
    resolvePath(`${folder}/${name}`, { cwd, home: walk.home }),
  );
  state.cwd = null;
}

/** Without a name `export`, `declare` and `set` print all variables. */
function everything(call: Call): string {
  call.env('*', 'read', null);
  return UNKNOWN;
}

function declare(call: Call): string {
  const exported = call.name === 'export' || call.has('-x');
  if (call.operands.length === 0 && !call.has('-f', '-F')) return everything(call);
  for (const word of call.operands) {
    const found = ASSIGNMENT.exec(word.template);
    const name = found?.[1] ?? word.text;
    if (name === null || name === '') continue;
    let value = found ? word.template.slice(found[0].length) : call.state.variables.get(name)?.value;
    if (found?.[2]) value = (call.state.variables.get(name)?.value ?? UNKNOWN) + value;
    // Another name of a variable, which may get any value later.
    if (call.has('-n') && call.name !== 'export') value = UNKNOWN;
    if (value !== undefined && call.has('-i')) value = calculated(call.walk, value);
    if (value !== undefined && call.has('-l')) value = value.toLowerCase();
    if (value !== undefined && call.has('-u') && call.name !== 'export') value = value.toUpperCase();
    if (value !== undefined) call.state.set(name, value, exported);
    else if (exported) call.state.set(name, entryOf(call.walk.env, name) ?? UNKNOWN, true);
    if (exported || call.name === 'readonly')
      call.env(name, 'set', value === undefined ? null : known(value));
  }
  return '';
}

function unset(call: Call): string {
  for (const { text } of call.operands) {
    if (text === null) continue;
    if (call.has('-f')) call.state.functions.delete(text);
    else call.state.set(text, '');
    call.env(text, 'unset', null);
  }
  return '';
}

/** `set -- a b` sets the shell's arguments. */
function setArguments(call: Call): string {
  const words = call.command.argv;
  if (words.length === 1) return everything(call);
  const at = words.findIndex((word) => word.text === '--');
  const given = at > 0 ? words.slice(at + 1) : call.operands;
  if (at > 0 || given.length > 0) call.state.positional = given.map((word) => call.walk.textOf(word));
  return '';
}

function shift(call: Call): string {
  const count = Number(call.operands[0]?.text ?? '1');
  call.state.positional = call.state.positional?.slice(Number.isNaN(count) ? 1 : count) ?? null;
  return '';
}

/** What `read` takes from its input: a line, or text up to another delimiter. */
function lineRead(call: Call): string {
  const { template } = call.command.stdin;
  if (call.has('-n', '-N')) return unknownOf(template);
  const until = call.value('-d');
  if (!until) return template.split('\n')[0] ?? '';
  const sign = until.text?.charAt(0);
  return sign === undefined ? unknownOf(template) : sign === '' ? template : (template.split(sign)[0] ?? '');
}

function separatorsOf({ command, state }: Call): string {
  const own = command.assignments.findLast(({ name }) => name === 'IFS');
  return own ? (own.value ?? UNKNOWN) : (state.variables.get('IFS')?.value ?? ' \t\n');
}

function fieldsOf(line: string, separators: string): string[] {
  if (separators === '') return [line];
  const fields: string[] = [''];
  for (const sign of /^[ \t\n]*$/.test(separators) ? line.trim() : line.replace(/\n$/, '')) {
    const last = fields.length - 1;
    if (!separators.includes(sign)) fields[last] += sign;
    else if (fields[last] !== '' || sign.trim() !== '') fields.push('');
  }
  return fields;
}

function readLine(call: Call): string {
  const line = lineRead(call);
  const separators = separatorsOf(call);
  const words = hasUnknown(separators) ? [UNKNOWN] : fieldsOf(line, separators);
  const array = call.value('-a');
  if (array?.text) call.state.setList(array.text, words);
  const given = call.operands.flatMap((word) => word.text ?? []);
  const names = given.length === 0 && !array ? ['REPLY'] : given;
  for (const [i, name] of names.entries()) {
    const value = hasUnknown(line + separators)
      ? names.length > 1
        ? madeOf(line)
        : unknownOf(line)
      : i === names.length - 1
        ? i === 0
          ? line.trim()
          : words.slice(i).join(separators.charAt(0))
        : (words[i] ?? '');
    call.state.set(name, value);
    call.env(name, 'set', known(value));
  }
  return '';
}

/** `mapfile -C line` runs the line with each item. */
function mapLines(call: Call): string {
  const callback = call.value('-C');
  const { template } = call.command.stdin;
  if (callback)
    call.runText(`${callback.template} 0 ${unknownOf(template)}`, { sameShell: true, functions: true });
  for (const { text } of call.operands) if (text !== null) call.env(text, 'set', null);
  return forgetNames(call);
}

/** Completions come from a command, or from expanding words. */
function complete(call: Call): string {
  for (const line of call.values('-C', '-F'))
    call.runText(line.template, { sameShell: true, functions: true });
  for (const words of call.values('-W'))
    call.runText(`: ${words.template}`, { sameShell: true, functions: true });
  return UNKNOWN;
}

function forgetNames(call: Call): string {
  for (const { text } of call.operands) if (text !== null) call.state.set(text, UNKNOWN);
  return '';
}

function calculate(call: Call): string {
  for (const { template } of call.command.argv.slice(1)) setByArithmetic(call.walk, template);
  return '';
}

function evaluate(call: Call): string {
  if (call.operands.length === 0) {
    // There is nothing to run, but piped input may be meant as code.
    if (call.command.stdin.from !== 'terminal') call.execute('unknown');
    return '';
  }
  for (const word of call.operands) {
    if (!ownText(call, word)) return UNKNOWN;
    if (word.dynamic) call.execute('unknown');
  }
  return call.runText(joinWords(call.operands), { sameShell: true, functions: true });
}

function trap(call: Call): string {
  const [action, signal] = call.operands;
  if (signal !== undefined && action !== undefined && action.text !== '-') {
    call.runText(action.template, { sameShell: true, functions: true });
  }
  return '';
}

/** Only interactive shells and zsh expand aliases, but the line may be run by one. */
function alias(call: Call): string {
  for (const word of call.operands) {
    const at = word.template.indexOf('=');
    if (at <= 0 || word.dynamic) continue;
    rename(call.state, word.template.slice(0, at), word.template.slice(at + 1));
  }
  return '';
}

/** `hash -p /bin/rm ls`: afterwards the shell finds that program under the name. */
function hash(call: Call): string {
  const program = call.value('-p');
  for (const { text } of program ? call.operands : [])
    if (text !== null) rename(call.state, text, shellQuoted(program?.template ?? UNKNOWN));
  return '';
}

/** Patterns, as the names they expand to. */
function printable({ walk }: Call, words: readonly Word[]): readonly Word[] {
  return words.map((word) => (word.glob ? makeWord(walk.textOf(word), word.raw) : word));
}

function printFormat(call: Call): string {
  const target = call.value('-v');
  const output = printf(printable(call, call.operands));
  if (target?.text) {
    call.state.set(target.text, output);
    call.env(target.text, 'set', known(output));
  }
  return target ? '' : output;
}

/** Repeats the same line, so evaluating it once is enough. */
function repeatLine(call: Call): string {
  return call.operands.length === 0 ? 'y\n' : printWords(call);
}

function printWords(call: Call): string {
  return echo(printable(call, call.command.argv.slice(1)));
}

function leaveDirectory(call: Call): string {
  call.state.cwd = null;
  return '';
}

/** `bind -x '"\C-r": command'` runs the text after the colon. */
function bind(call: Call): string {
  const word = call.value('-x');
  const at = word?.template.lastIndexOf(':') ?? -1;
  if (word && at > 0) call.runText(word.template.slice(at + 1), { sameShell: true });
  return '';
}

/** Builtins of the shell. */
export const BUILTINS: CodeTable = {
  alias,
  bind,
  calculate,
  'change-directory': changeDirectory,
  complete,
  declare,
  echo: printWords,
  evaluate,
  'forget-names': forgetNames,
  hash,
  'leave-directory': leaveDirectory,
  'map-lines': mapLines,
  'print-format': printFormat,
  pwd: (call) => (call.state.cwd === null ? UNKNOWN : `${call.state.cwd}\n`),
  'read-line': readLine,
  'set-arguments': setArguments,
  shift,
  silent: () => '',
  trap,
  unset,
  yes: repeatLine,
};

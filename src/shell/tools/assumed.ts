import type { Option, Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { isUnknown, withoutUnknown } from '../placeholders.ts';
import { baseName, isActing } from '../program-names.ts';
import type { Tool } from '../tool.ts';
import { tail } from '../word.ts';
import { handedLines } from './runners.ts';

/** Option names whose value is something to run. */
const RUNS =
  /(?:^|[-_.:])(?:pager|editor|speller|viewer|browser|opener|exec|execute|toolexec|command|cmd|shell|hook|wrapper|rsh|ssh|askpass|preview|program|prog|launcher|script|action|trigger|invoke|pre|post|before|after|on-[\w-]+)[:=]*$/i;

/** Option names whose value is prose or a search text. */
const SAYS =
  /(?:^|[-_])(?:message|msg|title|body|description|desc|summary|comment|notes?|text|subject|name|label|prompt|query|search|pattern|grep|match|regexp?|reason|content|data|header|format|template|author|task|goal|input|output)$/i;

/** Letters that often abbreviate such a name. */
const MAY_SAY = /^-[mtbpqd]$/;

/** Words before a line: `unheard-of exec 'line'`. */
const VERBS = /^(?:exec|run|call|shell|sh|eval|system|spawn)$/;

/** Texts for people, which are never run. */
const PROSE = /\.(?:md|markdown|txt|rst|adoc|html?|json|ya?ml|csv|log|lock)$/i;

interface Value {
  readonly name: string;
  readonly word: Word;
}

/**
 * What an undescribed program seems to run: an option value whose name says so or that looks like a command line,
 * program text that calls a shell, or a script that the session wrote. For a described program, only undescribed
 * options count.
 */
export function runAssumed(call: Call, tool: Tool | undefined): void {
  const { options, argv } = call.command;
  if (tool === undefined) runOrders(call);
  if (argv.length < 2 || (tool !== undefined && isDescribed(tool, options))) return;
  for (const { name, word } of valuesOf(call, tool)) {
    if (isUnknown(word.template)) continue;
    if (isWritten(call, word)) runScript(call, word, RUNS.test(name));
    else if (MAY_SAY.test(name)) runCalls(call, word);
    else if (!SAYS.test(name)) runValue(call, word, RUNS.test(name));
  }
}

/** Without an option list, a program's words can't be sorted. */
function isDescribed(tool: Tool, options: readonly Option[]): boolean {
  return tool.options === undefined || options.every(({ declared }) => declared);
}

function valuesOf(call: Call, tool: Tool | undefined): readonly Value[] {
  const { options, argv } = call.command;
  const undescribed = new Map<string, Option>();
  for (const option of options) if (!option.declared) undescribed.set(option.raw, option);
  return argv.slice(1).flatMap((word, at): Value[] => {
    const before = argv[at];
    const option = undescribed.get(word.raw);
    if (option?.value) return [assigned(option.name, option.value)];
    if (word.template.startsWith('-')) return [];
    if (before && undescribed.has(before.raw) && !before.template.includes('='))
      return [assigned(before.template, word)];
    if (tool !== undefined) return [];
    return [{ name: VERBS.test(before?.template ?? '') && at > 0 ? 'exec' : 'name', word }];
  });
}

/** `-o ssh_command='line'`: the text after the name of a setting. */
function assigned(option: string, word: Word): Value {
  const name = /^[\w.:-]+=(?=.*\s)/s.exec(word.template)?.[0];
  return name === undefined
    ? { name: option, word }
    : { name: name.slice(0, -1), word: tail(word, name.length) };
}

/** Prefixes of shell lines in small languages: `!line`, `shell line`. */
const BEFORE_LINE = /^\s*(?:[|!;]+\s*|(?:shell|system|exec|spawn)\s+)/;

function runValue(call: Call, word: Word, isNamed: boolean): void {
  if (!/\s/.test(word.template.trim())) return;
  const line = word.template.replace(BEFORE_LINE, '');
  const [first = '', second] = withoutUnknown(line).trim().split(/\s+/);
  const isLine = second !== undefined && isActing(baseName(first));
  if (isNamed || isLine) call.runText(line, { guessed: true });
  if (!isLine) runCalls(call, word);
}

function runCalls(call: Call, { template }: Word): void {
  for (const line of handedLines(template, true)) call.runText(line, { guessed: true });
}

/** Many programs that read commands on their input pass those that begin with `!` to a shell. */
function runOrders(call: Call): void {
  for (const [, line = ''] of call.command.stdin.template.matchAll(/^\s*!\s*(\S.*)$/gm))
    if (isActing(baseName(line.split(/\s+/)[0] ?? ''))) call.runText(line, { guessed: true });
}

function isWritten(call: Call, word: Word): boolean {
  const { path } = call.path(word);
  return path !== null && call.walk.store.script(path) !== undefined;
}

/** Its file name decides how it is run; otherwise its first line; otherwise it is a program in some language. */
function runScript(call: Call, word: Word, isNamed: boolean): void {
  const { path } = call.path(word);
  const template = (path === null ? undefined : call.walk.store.script(path)?.template) ?? '';
  if (isNamed || template.startsWith('#!')) call.runArgv([word], { guessed: true });
  else if (!PROSE.test(path ?? ''))
    for (const line of handedLines(template)) call.runText(line, { guessed: true });
}

import type { Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { isUnknown } from '../placeholders.ts';
import type { Tool } from '../tool.ts';
import { announce, scriptFile, scriptInput } from './shells.ts';

/** Shell lines in a program text of any language. */
const HANDED =
  /(?:\b(?:system|Sys\.command|shell|popen|e?syscmd|spawn|execute|callCommand|shell_exec)\b[ \t]*\(?[ \t]*|\bexec\w?\w?[ \t]*(?:\([ \t]*)?(?=["'`])|^[ \t]*(?:[\d.,$%]*[rwe]?[ \t]*)!)["'`]?([^"'`)\n]{1,500})|\\write18[ \t]*\{([^}\n]{1,500})/gm;

/** The same for text that is certainly a program: the line is in quotes. */
const CALLED =
  /\b(?:system|Sys\.command|shell|popen|spawn|execute|callCommand|shell_exec|exec\w?\w?)\b[ \t]*\(?[ \t]*["'`]([^"'`\n]{1,500}["'`]?(?:[ \t]*,[ \t]*["'][^"'\n]{0,200}["']){0,20})|\\write18[ \t]*\{([^}\n]{1,500})/gm;

export function handedLines(text: string, quoted = false): readonly string[] {
  return [...text.matchAll(quoted ? CALLED : HANDED)].map(([, line, written]) =>
    words(line ?? written ?? ''),
  );
}

/** `rm", "-rf", "x"` is `rm -rf x`. */
function words(list: string): string {
  return list.replace(/["'`][ \t]*,[ \t]*["']/g, ' ').replace(/["'`]$/, '');
}

export function handed(call: Call, text: string): void {
  call.code(text);
  for (const line of handedLines(text)) call.runText(line);
}

/** A program in a file. Its origin is known, and perhaps its effects; at least the lines it passes to a shell. */
export function runFile(call: Call, file: Word, as: (call: Call, text: string) => void = handed): void {
  const isInput = file.text === '-' || file.text === '/dev/stdin';
  if (!isInput && !file.output) call.read(file);
  const source = isInput ? scriptInput(call) : scriptFile(call, file);
  if (announce(call, source)) as(call, source.template);
}

/** Runs the files that a table entry names; of those in `found`, only the ones that the session wrote. */
export function runExecuted(call: Call, { options, found = [], as }: NonNullable<Tool['executes']>): void {
  for (const file of call.values(...options)) runFile(call, file, as);
  for (const [variable = '', ...names] of found.map((path) => path.split('/'))) {
    const folder = variableIn(call, variable);
    if (folder === null) continue;
    const file = literal([folder, ...names].join('/'));
    const { template, unread } = scriptFile(call, file);
    if (unread || !isUnknown(template)) runFile(call, file, as);
  }
}

function variableIn({ command, walk }: Call, name: string): string | null {
  const own = command.assignments.find((one) => one.name === name);
  if (own) return own.value;
  return walk.state.variables.get(name)?.value ?? (name === 'HOME' ? walk.home : null);
}

/** A program on its input, if there is one. */
export function runInput(call: Call, as: (call: Call, text: string) => void = handed): void {
  if (call.command.stdin.from === 'terminal') return;
  const source = scriptInput(call);
  if (announce(call, source)) as(call, source.template);
}

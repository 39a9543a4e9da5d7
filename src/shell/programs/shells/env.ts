import { type Assignment, UNKNOWN, type Word } from '../../analysis.ts';
import type { Call } from '../../call.ts';
import type { Entry } from '../../reentry.ts';
import type { CodeTable } from '../../tool.ts';
import { makeWord } from '../../word.ts';
import { assignmentOf, directoryOf } from '../../wrappers/unwrap.ts';

const ASSIGNMENT = /^[^=]+=/;

function env(call: Call): string {
  const split = call.command.options.find((option) => option.name === '--split-string');
  const words: Word[] = split?.value ? afterSplit(call, split.value, split.raw) : [...call.operands];
  for (const name of call.values('--unset')) if (name.text !== null) call.env(name.text, 'unset', null);
  const assignments: Assignment[] = [...call.command.assignments];
  while (words[0] && (ASSIGNMENT.test(words[0].template) || words[0].text === '-')) {
    const word = words.shift();
    if (!word || word.text === '-') continue;
    const assignment = assignmentOf(word);
    assignments.push(assignment);
    call.env(assignment.name, 'set', assignment.value);
  }
  if (words.length === 0) {
    call.env('*', 'read', null);
    return UNKNOWN;
  }
  const directory = call.value('--chdir');
  const entry: Entry = directory ? { assignments, cwd: directoryOf(call, directory) } : { assignments };
  // `env -S '-i rm x'` has more options: env parses them itself the second time.
  if (words[0]?.template.startsWith('-')) return call.runArgv([makeWord('env', 'env'), ...words], entry);
  return call.runArgv(words, entry);
}

/** -S is parsed again as options, variables and command. The following words come after it, including options. */
function afterSplit(call: Call, value: Word, raw: string): Word[] {
  const { argv } = call.command;
  const at = Math.max(
    argv.indexOf(value),
    argv.findIndex((word) => word.raw === raw),
  );
  return [...splitString(value.template), ...argv.slice(at + 1)];
}

/** The words of `env -S`: quotes and backslashes as in a shell, but only expansions that can't be known. */
function splitString(template: string): Word[] {
  const words: Word[] = [];
  for (const [raw] of template.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\[\s\S]|[^\s'"\\])+/g)) {
    const text = raw.replace(
      /'([^']*)'|"((?:\\.|[^"\\])*)"|\\_|\\([\s\S])/g,
      (whole, single, double, escaped) => (whole === '\\_' ? ' ' : (single ?? double ?? escaped ?? '')),
    );
    words.push(makeWord(text.replace(/\$\{\w+\}/g, UNKNOWN), raw));
  }
  return words;
}

function printenv(call: Call): undefined {
  if (call.operands.length === 0) call.env('*', 'read', null);
  for (const { text } of call.operands) if (text !== null) call.env(text, 'read', null);
}

export const ENV: CodeTable = { env, printenv };

import { type Assignment, UNKNOWN, type Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { whereIs } from '../memory/installed.ts';
import { resolvePath } from '../places/paths.ts';
import type { Entry } from '../reentry.ts';
import type { Wrap } from '../tool.ts';
import { isFed } from '../traits/feeders.ts';
import { CONSUMED } from '../walk.ts';
import { joinWords, known, tail } from '../word.ts';

const ASSIGNMENT = /^([A-Za-z_]\w*)=/;

/** Continues with the command that a wrapper runs, as its table entry says. */
export function unwrap(call: Call, wrap: Wrap): string {
  // Printing what would run does not run it, but only without other options.
  const inert = wrap.inert !== undefined && call.has(...wrap.inert) && call.operands.length < 2;
  const script = wrap.script ? call.value(...wrap.script) : null;
  if (wrap.privilege !== undefined) {
    const user =
      wrap.privilege === ''
        ? call.operands.find(({ template }) => template !== '-')
        : call.value(wrap.privilege);
    const isGiven = wrap.how !== 'none' && call.operands.length > (wrap.skip ?? 0);
    call.privilege(call.name, user?.text ?? null, !inert && script === null && !isGiven);
  }
  if (inert) return (call.name === 'command' ? whereIs(call.walk, call.operands) : undefined) ?? UNKNOWN;
  // `strace -o '|line'` and similar.
  const pipe = call.value('--output', '-o')?.template;
  if (pipe?.startsWith('|')) call.runText(pipe.replace(/^[|!]/, ''));
  if (script) return call.runText(script.template, entryOf(call, wrap, []));
  if (wrap.how === 'none') return wrap.privilege === undefined ? UNKNOWN : readInput(call);
  const words = call.operands.slice(wrap.skip ?? 0);
  // `flock FILE -c 'line'`: the option follows an operand.
  if (wrap.script && words[0]?.text === '-c' && words[1])
    return call.runText(words[1].template, entryOf(call, wrap, []));
  const assignments: Assignment[] = [];
  while (wrap.assignments && words[0] && ASSIGNMENT.test(words[0].template)) {
    const word = words.shift();
    if (word) assignments.push(assignmentOf(word));
  }
  const entry = entryOf(call, wrap, assignments);
  if (words.length === 0) {
    if (isFed(call.walk.frame.via)) call.walk.lost(`what is read gives ${call.name} its command`);
    return readInput(call);
  }
  return wrap.how === 'shell' ? runLine(call, words, entry) : call.runArgv(words, entry);
}

/** Without a command, `sudo -s`, `su` and `chroot` start a shell that reads its input. */
function readInput(call: Call): string {
  const { stdin } = call.command;
  return stdin.from === 'here' || stdin.from === 'pipe'
    ? call.runText(stdin.template, { stdin: CONSUMED })
    : UNKNOWN;
}

/**
 * Words joined into a shell line. A quoted one was meant to stay one word but does not, so both readings are followed.
 */
export function runLine(call: Call, words: readonly Word[], entry: Entry): string {
  if (words.length > 1 && words.some((word) => /\s/.test(word.template))) {
    call.runArgv(words, { ...entry, guessed: true });
  }
  return call.runText(joinWords(words), entry);
}

export function assignmentOf(word: Word): Assignment {
  const at = word.template.indexOf('=');
  return { name: word.template.slice(0, at), value: known(tail(word, at + 1).template), raw: word.raw };
}

function entryOf(call: Call, wrap: Wrap, own: readonly Assignment[]): Entry {
  const assignments = [...call.command.assignments, ...own];
  const entry: { -readonly [K in keyof Entry]: Entry[K] } = { assignments };
  if (wrap.place) entry.place = wrap.place;
  if (wrap.functions) entry.functions = true;
  const directory = wrap.cwd ? call.value(wrap.cwd) : null;
  if (directory) entry.cwd = directoryOf(call, directory);
  return entry;
}

/** Working directory of a command, if an option sets it. */
export function directoryOf(call: Call, word: Word): string | null {
  return word.text === null ? null : resolvePath(word.text, { cwd: call.command.cwd, home: call.walk.home });
}

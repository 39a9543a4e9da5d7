import { UNKNOWN } from '../analysis.ts';
import { withoutUnknown } from '../placeholders.ts';
import type { Tool } from '../tool.ts';
import { runArgv, wordsOf } from './argv.ts';
import { commandNamed, isHarmlessCommand, isVerbNoun } from './command-names.ts';
import type { Evaluation } from './evaluate.ts';
import { bindWords, fits, isOn } from './parameters.ts';
import { posixWords } from './posix-words.ts';
import { SPECIAL } from './special-commands.ts';
import { derived, NOTHING, union, type Value } from './values.ts';

interface How {
  /** `&`, `.` or empty. */
  readonly call: string;
  /** True if it was quoted or computed, and so is not a keyword. */
  readonly isPath: boolean;
}

const BY_NAME: How = { call: '', isPath: false };

/** Runs a command by name: a function of the text, a cmdlet, or a program. */
export function runCommand(
  evaluation: Evaluation,
  name: string,
  given: readonly Value[],
  input: Value,
  { call }: How = BY_NAME,
): Value {
  const { scope } = evaluation;
  const lower = name.toLowerCase();
  const own = scope.functions.get(lower);
  if (own) return callFunction(evaluation, own, given, input);
  const alias = scope.aliases.get(lower);
  const command = commandNamed(alias ?? name);
  const words = wordsOf(given);
  const isCommand = command === lower || fits(command, words);
  const inBlocks = runBlocks(evaluation, isCommand ? command : lower, given, input);
  const special = isCommand ? SPECIAL[command] : undefined;
  if (special && Object.hasOwn(SPECIAL, command))
    return special(evaluation, { command, given, words, bound: bindWords(command, words), input, inBlocks });
  if (isCommand && isVerbNoun(command))
    return runCommandlet(evaluation, { name: lower, command, words, input }, inBlocks);
  if (call === '.' && /\.ps1$/i.test(name)) return runArgv(evaluation, ['.', name, ...words], input);
  return union(runArgv(evaluation, [alias ?? name, ...words], input), inBlocks);
}

interface Commandlet {
  readonly name: string;
  readonly command: string;
  readonly words: readonly string[];
  readonly input: Value;
}

function runCommandlet(evaluation: Evaluation, called: Commandlet, inBlocks: Value): Value {
  const { name, command, words, input } = called;
  const bound = bindWords(command, words);
  // It only reports what it would do.
  if (isOn(bound, 'whatif')) return NOTHING;
  const asProgram = name === command ? null : posixWords(name, bound);
  if (asProgram !== null) return runArgv(evaluation, [...asProgram, ...pathsFrom(input, asProgram)], input);
  const harmless = isHarmlessCommand(command);
  if (!harmless && !evaluation.reentry.knows(command)) {
    evaluation.walk.fail(`powershell: what ${command.slice(0, 60)} does is not known`);
    return derived(input);
  }
  const tool = evaluation.reentry.knows(command) ? undefined : LOOKS;
  if (/^invoke-(?:web|rest)/.test(command))
    return runArgv(evaluation, [command, ...withoutLogin(words)], input);
  const output = runArgv(
    evaluation,
    [command, ...words, ...takenFrom(input, command, bound.rest)],
    input,
    tool,
  );
  return union(output, inBlocks);
}

/** What a program named like an alias gets from the pipe, if the cmdlet would take it as arguments. */
function pathsFrom(input: Value, [name = '', ...words]: readonly string[]): readonly string[] {
  return name === 'rm' && words.every((word) => word.startsWith('-')) ? input.items : [];
}

const TAKES_PATHS =
  /^(?:remove-item|clear-content|get-content|copy-item|move-item|rename-item|set-itemproperty|get-item|get-filehash|unblock-file|invoke-item|import-csv|select-string|stop-process|remove-itemproperty)$/;

/** Piped input that a command takes as its paths. */
function takenFrom(input: Value, command: string, rest: readonly string[]): readonly string[] {
  if (!TAKES_PATHS.test(command) || input.items.length === 0) return [];
  if (command === 'select-string')
    return input.items.flatMap((item) => (item.includes('*') ? ['-Path', item] : []));
  const isNamed = rest.length > 0 && !/^(?:copy|move|rename)-item$/.test(command);
  return isNamed ? [] : input.items.flatMap((item) => ['-LiteralPath', item]);
}

/** A header holds credentials, which stay between client and server. */
function withoutLogin(words: readonly string[]): readonly string[] {
  return words.map((word, at) =>
    /^-(?:h|he|hea\w*|token|credential)$/i.test(words[at - 1] ?? '') ? withoutUnknown(word, UNKNOWN) : word,
  );
}

const LOOKS: Tool = { singleDash: true, run: () => undefined };

/** Runs every block that a command gets, because any command may call it. */
function runBlocks(evaluation: Evaluation, command: string, given: readonly Value[], input: Value): Value {
  const printed = [NOTHING];
  const about =
    command === 'foreach-object' || command === 'where-object' || input !== NOTHING ? input : NOTHING;
  const callees = given.flatMap((value) => [value, ...(value.table?.values() ?? [])]);
  const hasCode = callees.some(({ blocks, isCode }) => blocks.length > 0 || isCode);
  if (!hasCode) return NOTHING;
  evaluation.repeatedly(() => {
    for (const callee of callees)
      if (callee.blocks.length > 0 || callee.isCode) printed.push(evaluation.invoke(callee, [], about));
  });
  return union(...printed);
}

function callFunction(
  evaluation: Evaluation,
  own: NonNullable<ReturnType<Evaluation['scope']['functions']['get']>>,
  given: readonly Value[],
  input: Value,
): Value {
  const { scope, walk } = evaluation;
  if (scope.calls.has(own)) return derived(...given, input);
  const values = given.filter(({ items: [only = ''] }) => !/^-[A-Za-z]\w*$/.test(only));
  scope.calls.add(own);
  walk.enter();
  evaluation.bind(own.parameters, values);
  if (input !== NOTHING) scope.variables.set('_', input);
  const printed = evaluation.statements(own.body);
  walk.leave();
  scope.calls.delete(own);
  return printed;
}

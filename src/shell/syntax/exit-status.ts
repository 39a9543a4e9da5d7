import {
  type AndOr,
  type Command,
  type CommandNode,
  type CompoundList,
  type Pipeline,
  parse,
  type Statement,
} from 'unbash';

/** Options that `set` has switched on. */
interface Modes {
  errexit: boolean;
  pipefail: boolean;
}

type Node = CommandNode | Pipeline | AndOr;

/**
 * The commands, as written, that must have succeeded if the whole line exits with 0. Commands before a pipe, `;`, `||`,
 * `&` or `!`, or in a loop, are omitted because their exit code is lost.
 */
export function decidingCommands(source: string): readonly string[] {
  const { commands, errors } = parse(source);
  if (errors !== undefined && errors.length > 0) return [];
  return inList(commands, { errexit: false, pipefail: false }, source);
}

function inList(statements: readonly Statement[], modes: Modes, source: string): readonly string[] {
  const must: string[] = [];
  let last: readonly string[] = [];
  let before: Node | null = null;
  for (const { command, background } of statements) {
    if (command.type === 'Command' && isExit(command)) {
      last = passedOn(command, before, last, modes, source);
      break;
    }
    // With `set -e` the script ends when a plain command fails; one inside an && or || list may fail unnoticed.
    if (modes.errexit && before !== null && before.type !== 'AndOr') must.push(...last);
    last = background === true ? [] : inNode(command, modes, source);
    before = command;
  }
  return [...must, ...last];
}

function inNode(node: Node | CompoundList, modes: Modes, source: string): readonly string[] {
  switch (node.type) {
    case 'Command':
      setModes(node, modes);
      return [source.slice(node.pos, node.end)];
    case 'Pipeline':
      return inPipeline(node, modes, source);
    case 'AndOr':
      return inAndOr(node, modes, source);
    case 'CompoundList':
      return inList(node.commands, modes, source);
    case 'Redirected':
      return inNode(node.command, modes, source);
    case 'Subshell':
      return inNode(node.body, { ...modes }, source);
    case 'BraceGroup':
      return inNode(node.body, modes, source);
    default:
      return [];
  }
}

function inPipeline({ prefixes, commands }: Pipeline, modes: Modes, source: string): readonly string[] {
  if (prefixes.some(({ type }) => type === 'Negation')) return [];
  const counted = modes.pipefail ? commands : commands.slice(-1);
  return counted.flatMap((command) => inNode(command, modes, source));
}

function inAndOr({ commands, operators }: AndOr, modes: Modes, source: string): readonly string[] {
  let must: readonly string[] = [];
  commands.forEach((command, index) => {
    if (index > 0 && operators[index - 1] === '||') {
      // `tests || exit 1` still fails with the tests.
      if (!alwaysFails(command)) must = [];
    } else must = [...must, ...inNode(command, modes, source)];
  });
  return must;
}

function alwaysFails(node: Node): boolean {
  if (node.type === 'Command')
    return node.name?.text === 'false' || (isExit(node) && argumentsOf(node)[0] !== '0');
  if (node.type !== 'BraceGroup' && node.type !== 'Subshell') return false;
  const last = node.body.commands.at(-1);
  // In a separate list, `$?` is the status of the command before.
  return (
    last?.command.type === 'Command' &&
    isExit(last.command) &&
    /^[1-9]/.test(argumentsOf(last.command)[0] ?? '')
  );
}

/** The status at `exit`: that of the command before it if it is passed on, otherwise unknown. */
function passedOn(
  exit: Command,
  before: Node | null,
  last: readonly string[],
  modes: Modes,
  source: string,
): readonly string[] {
  const [status = '$?'] = argumentsOf(exit);
  if (status === '$?') return last;
  const [first] = before?.type === 'Pipeline' ? before.commands : [];
  return /^\$\{PIPESTATUS\[0\]\}$/.test(status) && first ? inNode(first, modes, source) : [];
}

function isExit(command: Command): boolean {
  return command.name?.text === 'exit' || command.name?.text === 'return';
}

function setModes(command: Command, modes: Modes): void {
  if (command.name?.text !== 'set') return;
  const words = argumentsOf(command);
  words.forEach((word, index) => {
    const on = word.startsWith('-');
    if (!on && !word.startsWith('+')) return;
    if (word.includes('e')) modes.errexit = on;
    if (!word.endsWith('o')) return;
    if (words[index + 1] === 'pipefail') modes.pipefail = on;
    if (words[index + 1] === 'errexit') modes.errexit = on;
  });
}

function argumentsOf(command: Command): readonly string[] {
  return command.args.map((argument) =>
    argument.type === 'Word' ? argument.text.replace(/^"(.*)"$/, '$1') : '',
  );
}

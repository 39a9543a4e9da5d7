import { type Command, firstWords } from './command.ts';
import { isListed, PARTS } from './summaries.ts';

/** What can be completed where, in the order of the commands table. */
interface Completed {
  readonly name: string;
  readonly summary: string;
  /** The possible first arguments, if they are known. */
  readonly words: readonly string[];
  readonly options: readonly {
    readonly name: string;
    readonly description: string;
    readonly takesValue: boolean;
  }[];
}

export function completed(
  name: string,
  summary: string,
  command: Command,
  agents: readonly string[],
): Completed {
  const own = /^[<[]agent[\]>/]/.test(command.words) ? agents : firstWords(command);
  return {
    name,
    summary,
    words: [...new Set([...own, ...(PARTS[name] ?? [])])],
    options: Object.entries(command.options).map(([option, { type, description }]) => ({
      name: `--${option}`,
      description,
      takesValue: type === 'string',
    })),
  };
}

export const COMPLETED_SHELLS: Readonly<Record<string, (commands: readonly Completed[]) => string>> = {
  bash,
  zsh,
  fish,
};

/** `history export` and others, as patterns of a `case`. */
const IN_PARTS: string = Object.entries(PARTS)
  .flatMap(([name, parts]) => parts.map((part) => `'${name} ${part}'`))
  .join(' | ');

const listed = (commands: readonly Completed[]) => commands.filter(({ name }) => isListed(name));

/** If nothing matches, bash completes file names. */
function bash(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, words, options }) => {
    const all = [...words, ...options.map((option) => option.name)];
    return `    ${name}) words=${quoted(all.join(' '))} ;;`;
  });
  const names = listed(commands).map(({ name }) => name);
  return `_hookline() {
  local words command="\${COMP_WORDS[1]}" current="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$command \${COMP_WORDS[2]}" in
    ${IN_PARTS}) command="\${COMP_WORDS[2]}" ;;
    esac
  fi
  case "$command" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words=${quoted(names.join(' '))}; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _hookline hookline
`;
}

function zsh(commands: readonly Completed[]): string {
  const described = listed(commands).map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = commands.map(({ name, words, options }) => {
    const specs = options.map((option) =>
      quoted(`${option.name}[${plain(option.description)}]${option.takesValue ? ':value:_files' : ''}`),
    );
    const rest = quoted(words.length > 0 ? `*:word:(${words.join(' ')})` : '*:file:_files');
    return `    ${name}) _arguments ${[...specs, rest].join(' ')} ;;`;
  });
  return `#compdef hookline
_hookline() {
  local -a commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  if (( CURRENT > 3 )); then
    case "$words[2] $words[3]" in
    ${IN_PARTS}) shift words; (( CURRENT-- )) ;;
    esac
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _hookline hookline
`;
}

function fish(commands: readonly Completed[]): string {
  return commands
    .flatMap(({ name, summary, words, options }) => {
      const on = `complete -c hookline -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
      return [
        ...(isListed(name)
          ? [`complete -c hookline -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`]
          : []),
        ...(words.length > 0 ? [`${on} -f -a ${quoted(words.join(' '))}`] : []),
        ...options.map(
          (option) =>
            `${on} -l ${option.name.slice(2)}${option.takesValue ? ' -r' : ''} -d ${quoted(option.description)}`,
        ),
      ];
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** Characters with a meaning in zsh descriptions. */
function plain(text: string): string {
  return text.replace(/[[\]:\\]/g, ' ');
}

/** Quotes a word for all three shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}

import type { Command } from './command.ts';

/** What can stand where, in the order of the table of commands. */
interface Completed {
  readonly name: string;
  readonly summary: string;
  /** What the first word after it may be, where that is known. */
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
  const [first = ''] = command.words.replace(/[<>[\]]/g, '').split(' ');
  return {
    name,
    summary,
    words: first === 'agent' ? agents : first.includes('|') ? first.split('|') : [],
    options: Object.entries(command.options).map(([option, { type, description }]) => ({
      name: `--${option}`,
      description,
      takesValue: type === 'string',
    })),
  };
}

export const SHELLS: Readonly<Record<string, (commands: readonly Completed[]) => string>> = {
  bash,
  zsh,
  fish,
};

/** Where nothing of ours fits, bash completes files. */
function bash(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, words, options }) => {
    const all = [...words, ...options.map((option) => option.name)];
    return `    ${name}) words=${quoted(all.join(' '))} ;;`;
  });
  return `_hookline() {
  local words current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words=${quoted(commands.map(({ name }) => name).join(' '))}; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _hookline hookline
`;
}

function zsh(commands: readonly Completed[]): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
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
        `complete -c hookline -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
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

/** In the descriptions of zsh these have a meaning. */
function plain(text: string): string {
  return text.replace(/[[\]:\\]/g, ' ');
}

/** One word for each of the three. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}

import type { SimpleCommand, Word } from '../../shell/analysis.ts';

/** A call under another name, with the words from `at` on, of which the first is the program. */
export function renamed(command: SimpleCommand, name: string, at: number): SimpleCommand {
  const argv = command.argv.slice(at);
  const rest = argv.slice(1);
  const isOption = ({ template }: Word) => template.startsWith('-');
  return {
    ...command,
    name,
    tool: name,
    argv,
    sub: [],
    options: rest.filter(isOption).map(({ template, raw }) => ({
      name: template.replace(/=.*/s, ''),
      value: null,
      raw,
      declared: false,
    })),
    operands: rest.filter((word) => !isOption(word)),
  };
}

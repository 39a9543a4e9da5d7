import type { SimpleCommand, Word } from './analysis.ts';
import { invocation } from './invocation.ts';
import { hasUnknown } from './placeholders.ts';
import { baseName, toolName } from './program-names.ts';
import type { Tool } from './tool.ts';
import { isDryRun } from './traits/dry-run.ts';
import type { Walk } from './walk.ts';

/** `"$VENV/bin/python"` is python in any directory; a pattern may match anything. */
export function nameIn({ text, template, glob }: Word): string | null {
  if (glob && /[*?[]/.test(template)) return null;
  if (text !== null) return baseName(text);
  const slash = template.lastIndexOf('/');
  const last = template.slice(slash + 1);
  return slash < 0 || last === '' || hasUnknown(last) ? null : last;
}

/** A command during the walk, with its words parsed by its tool. */
export function commandOf(
  { frame, state }: Walk,
  name: string | null,
  tool: Tool | undefined,
  given: Pick<SimpleCommand, 'argv' | 'assignments' | 'redirects' | 'stdin' | 'span'>,
): SimpleCommand {
  const { sub, options, operands } = invocation(tool, given.argv);
  const command = {
    name,
    tool: name === null ? null : toolName(name),
    argv: given.argv,
    sub,
    options,
    operands,
    assignments: given.assignments,
    redirects: given.redirects,
    stdin: given.stdin,
    pipeline: frame.pipeline,
    via: frame.via,
    place: frame.place,
    guessed: frame.guessed,
    cwd: state.cwd,
    depth: frame.depth,
    span: given.span,
    inert: false,
    ...(state.cwd === null && state.within && { within: state.within }),
  };
  if (options.length > 0) command.inert = isDryRun(tool, command);
  return command;
}

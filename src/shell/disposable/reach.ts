import type { SimpleCommand } from '../analysis.ts';
import { givenToContainer, hasOption, type InLine, isCluster, isContainer, type Naming } from './line.ts';

/**
 * Values of a variable for one command: set before it, around it, or exported earlier. Ignores variables of other
 * commands, and those that a container or `sudo` doesn't pass on.
 */
export function reaching(given: InLine, names: Naming): readonly (string | null)[] {
  const { line, index } = given;
  if (isUnset(given, names)) return [];
  const values: (string | null)[] = [];
  for (const at of around(given)) {
    const command = line.commands[at];
    if (command === undefined) break;
    if (isEmptied(command)) return writtenIn(command, names);
    if (startsAfresh(command) && at !== index) return [...values, ...givenToContainer(command, names)];
    values.push(...setBy(given, names, at));
  }
  const exported = line.commands.flatMap((command, at) =>
    at < index && EXPORTS.test(command.tool ?? '') && command.pipeline === null
      ? setBy(given, names, at)
      : [],
  );
  return [...values, ...exported];
}

const EXPORTS = /^(?:export|declare|typeset|set|setx|\$env:\w+)$/;

/** The command and its wrappers, innermost first. */
function around({ command, index, line }: InLine): readonly number[] {
  const found = [index];
  let { depth } = command;
  for (let at = index - 1; at >= 0 && depth > 0; at--) {
    const other = line.commands[at];
    if (other === undefined || other.depth >= depth) continue;
    if (other.span.start !== command.span.start) break;
    depth = other.depth;
    found.push(at);
  }
  return found;
}

function setBy({ line }: InLine, names: Naming, at: number): (string | null)[] {
  return line.effects.flatMap((effect) =>
    effect.kind === 'env' && effect.op === 'set' && effect.command === at && names.test(effect.name)
      ? [effect.value]
      : [],
  );
}

function isUnset({ line }: InLine, names: Naming): boolean {
  return line.effects.some(
    (effect) => effect.kind === 'env' && effect.op === 'unset' && names.test(effect.name),
  );
}

/** `env -i A=b rails`: only the variables after it. */
function isEmptied(command: SimpleCommand): boolean {
  return command.tool === 'env' && hasOption(command, '-i', '--ignore-environment');
}

function writtenIn({ argv }: SimpleCommand, names: Naming): (string | null)[] {
  return argv.flatMap(({ text, template }) => {
    const [name = '', ...value] = template.split('=');
    return value.length > 0 && names.test(name) ? [text === null ? null : value.join('=')] : [];
  });
}

/** True if the command starts programs with another environment. */
function startsAfresh(command: SimpleCommand): boolean {
  return isContainer(command) || isCluster(command) || /^(?:sudo|doas|su)$/.test(command.tool ?? '');
}

import { entryFor } from '../../knowledge/load.ts';
import type { Origin, SimpleCommand } from '../analysis.ts';

/** The secret store or database behind a command's output. */
export function printedBy({ tool, sub, operands, options }: SimpleCommand): Origin | null {
  if (tool === null) return null;
  const known = entryFor(tool);
  if (known?.dumps) return { kind: known.dumps, of: tool };
  const verbs = known?.printsSecrets;
  if (!verbs) return null;
  const words = [...sub, ...operands.slice(0, 3).map(({ template }) => template)];
  const given = options.map(({ name }) => name);
  return verbs.some((verb) => isVerb(verb, words, given)) ? { kind: 'secret', of: tool } : null;
}

/** `get secret` also matches `get secrets` and `get secret/x`. */
function isVerb(verb: string, words: readonly string[], options: readonly string[]): boolean {
  const parts = verb.split(' ');
  return parts.every((part, at) => {
    if (part.startsWith('-')) return options.includes(part);
    const word = words[at] ?? '';
    return at === parts.length - 1 ? word.startsWith(part) : word === part;
  });
}

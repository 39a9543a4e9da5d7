import type { Analysis, SimpleCommand, Word } from '../../shell/analysis.ts';
import { isFeeder } from '../../shell/traits/feeders.ts';

/**
 * True if a command gets the output of a search in the same line: by a substitution, a feeder, a variable or a file.
 */
export function takesWhatIsFound(command: SimpleCommand, search: number, analysis: Analysis): boolean {
  const isKept = analysis.effects.some((effect) => effect.kind === 'write' && effect.command === search);
  if (isKept && command.argv.some(({ dynamic }) => dynamic)) return true;
  if (command.argv.some(({ sources, output }) => (sources ?? output?.sources)?.includes(search))) return true;
  if (command.stdin.sources.includes(search)) return true;
  const feeder = feederOf(command, analysis);
  if (feeder?.stdin.sources.includes(search)) return true;
  return command.argv.some((word) => variablesIn(word).some((name) => isSetFrom(name, search, analysis)));
}

function feederOf(command: SimpleCommand, { commands }: Analysis): SimpleCommand | undefined {
  if (!command.via.some(isFeeder)) return undefined;
  return commands.slice(0, commands.indexOf(command)).findLast(({ tool }) => isFeeder(tool));
}

function variablesIn({ raw, dynamic }: Word): readonly string[] {
  return dynamic ? [...raw.matchAll(/\$\{?([A-Za-z_]\w*|\d)/g)].map(([, name = '']) => name) : [];
}

const READS: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray']);

/** Set by a substitution, a loop or `read` after the search. A number from elsewhere doesn't count. */
function isSetFrom(name: string, search: number, { commands, effects }: Analysis): boolean {
  // A script's arguments, whose origin is unknown.
  if (/^\d$/.test(name)) return true;
  const isSubstituted = (command: SimpleCommand | undefined) =>
    command?.assignments.some((one) => one.name === name && /\$\(|`/.test(one.raw)) === true;
  return effects.some((effect) => {
    if (effect.kind !== 'env' || effect.op !== 'set' || effect.name !== name) return false;
    const by = commands[effect.command];
    if (effect.command <= search) return false;
    if (READS.has(by?.tool ?? '')) return by?.stdin.sources.includes(search) === true;
    return isSubstituted(by) || !by?.assignments.some((one) => one.name === name);
  });
}

/** A variable that began as a number and is now unknown: it counts through many. */
export function isCounted(word: Word, { effects }: Analysis): boolean {
  const names = variablesIn(word);
  return effects.some(
    (effect) =>
      effect.kind === 'env' &&
      effect.op === 'set' &&
      names.includes(effect.name) &&
      /^\d+$/.test(effect.value ?? ''),
  );
}

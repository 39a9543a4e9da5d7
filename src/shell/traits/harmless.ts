import { entryFor } from '../../knowledge/load.ts';
import type { OptionsOn } from '../../knowledge/traits.ts';
import type { Option, SimpleCommand } from '../analysis.ts';
import { isReadingOption } from './observers.ts';

/** True if the command means the same without this option. */
export function isHarmlessOption({ tool, sub }: SimpleCommand, option: Option): boolean {
  if (tool === null) return false;
  if (isReadingOption(tool, option)) return true;
  return (
    entryFor(tool)?.harmless?.some(
      (one) => (one.on === undefined || one.on.includes(sub[0] ?? '')) && isListed(namesIn(one), option),
    ) ?? false
  );
}

function isListed(known: ReadonlySet<string>, { name, raw }: Option): boolean {
  const bare = name.replace(/^--?/, '');
  // The option table may be incomplete: an unambiguous abbreviation here may be another option in full.
  const written = raw.replace(/^--?/, '').replace(/=.*$/s, '');
  return known.has(bare) && (written === bare || /^-[^-]/.test(raw));
}

/** True if each further word is another target: `make test deploy`. */
export function takesGoals({ tool }: Pick<SimpleCommand, 'tool'>): boolean {
  return tool !== null && entryFor(tool)?.goals === true;
}

const parsed = new Map<OptionsOn, ReadonlySet<string>>();

function namesIn(list: OptionsOn): ReadonlySet<string> {
  const known = parsed.get(list) ?? new Set(list.with);
  // Lists are constants, so this cannot grow.
  parsed.set(list, known);
  return known;
}

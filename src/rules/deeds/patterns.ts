import type { DeedName } from '../../knowledge/acts.ts';
import { actingPrograms, actsOf } from '../../knowledge/load.ts';
import { isObject } from '../../model/json.ts';
import { entryOf } from '../../model/lookup.ts';
import { once } from '../../platform/bounded.ts';
import { readBuilt } from '../files/built.ts';
import { type CommandPattern, type CommandText, commandPattern, readCommand } from '../match/command.ts';

/** File that the build writes next to the program: the output of `compileActs`. */
export const BUILT_ACTS = 'acts.json';

/** Commands of one program with the same deeds, without the program's name. */
interface DeedTexts {
  readonly deed: DeedName;
  readonly commands: readonly Pick<CommandText, 'words' | 'options'>[];
}
type CompiledActs = Readonly<Record<string, readonly DeedTexts[]>>;

/** The deeds of a program for these words. */
interface DeedPatterns {
  readonly deed: DeedName;
  readonly patterns: readonly Pick<CommandPattern, 'words' | 'options'>[];
}

/** Parses every command in the knowledge files of programs. */
export function compileActs(): CompiledActs {
  return Object.fromEntries(actingPrograms().map((program) => [program, textsOf(program)]));
}

/** Without build output, as in tests, a program's file is read on first use. */
function textsOf(program: string): readonly DeedTexts[] {
  return (actsOf(program) ?? []).map(({ deed, commands }) => ({
    deed,
    commands: commands.map((text) => readAct(program, text)),
  }));
}

function readAct(program: string, text: string): Pick<CommandText, 'words' | 'options'> {
  const read = readCommand(`${program} ${text}`.trim());
  if ('problem' in read) throw new Error(`acts of ${program}: ${read.problem}`);
  if (read.tool !== (program === ANY ? null : program))
    throw new Error(`acts of ${program}: "${text}" is a command of ${read.tool ?? 'another program'}`);
  return { words: read.words, options: read.options };
}

/** Stands for any program. */
export const ANY = '*';

const built = once((): CompiledActs => readBuilt(new URL(`./${BUILT_ACTS}`, import.meta.url), isBuilt) ?? {});

/** Checks only the outline: the build checked the rest, and this runs before every first call. */
function isBuilt(data: unknown): data is CompiledActs {
  return isObject(data);
}

const NOTHING: readonly DeedPatterns[] = [];
const known = new Map<string, readonly DeedPatterns[]>();

/** The deeds of a program beyond its effects. Patterns are compiled on first use. */
export function deedPatterns(program: string): readonly DeedPatterns[] {
  if (actsOf(program) === undefined) return NOTHING;
  let found = known.get(program);
  if (!found) {
    const texts = entryOf(built(), program) ?? textsOf(program);
    found = texts.map(({ deed, commands }) => ({
      deed,
      patterns: commands.map((one) => commandPattern({ tool: program, word: program, ...one })),
    }));
    known.set(program, found);
  }
  return found;
}

import type { DeedName } from '../../knowledge/acts.ts';
import { actingPrograms, actsOf } from '../../knowledge/load.ts';
import { isObject } from '../../model/json.ts';
import { entryOf } from '../../model/lookup.ts';
import { once } from '../../platform/bounded.ts';
import { readBuilt } from '../files/built.ts';
import { type CommandPattern, type CommandText, commandPattern, readCommand } from '../match/command.ts';

/** What the build writes beside the program: the output of `compileActs`. */
export const BUILT_ACTS = 'acts.json';

/** Commands of one program that do the same, without the name of the program. */
interface DeedTexts {
  readonly deed: DeedName;
  readonly commands: readonly Pick<CommandText, 'words' | 'options'>[];
}
type CompiledActs = Readonly<Record<string, readonly DeedTexts[]>>;

/** What a program does with these words. */
interface DeedPatterns {
  readonly deed: DeedName;
  readonly patterns: readonly Pick<CommandPattern, 'words' | 'options'>[];
}

/** Every command in the files of programs, parsed. */
export function compileActs(): CompiledActs {
  return Object.fromEntries(actingPrograms().map((program) => [program, textsOf(program)]));
}

/** Without what the build has parsed, as in tests, a program is read when it is first met. */
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

/** In the place of a name: any program. */
export const ANY = '*';

const built = once((): CompiledActs => readBuilt(new URL(`./${BUILT_ACTS}`, import.meta.url), isBuilt) ?? {});

/** Only the outline: the build has checked the rest, and it is read before every first call. */
function isBuilt(data: unknown): data is CompiledActs {
  return isObject(data);
}

const NOTHING: readonly DeedPatterns[] = [];
const known = new Map<string, readonly DeedPatterns[]>();

/** What is known of what a program does beside its effects; the first time it is met, its patterns are made ready. */
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

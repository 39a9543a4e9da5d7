import { analyse } from '../../../src/shell/analyse.ts';
import type { AnalyseOptions, Analysis, EffectKind, EffectOf, Word } from '../../../src/shell/analysis.ts';

const HERE: AnalyseOptions = { cwd: '/home/dev/shop', home: '/home/dev' };

export function look(command: string): Analysis {
  return analyse(command, HERE);
}

/** Effects of one kind, in the order found. */
export function effects<K extends EffectKind>(command: string, kind: K): EffectOf<K>[] {
  return look(command).effects.filter((effect): effect is EffectOf<K> => effect.kind === kind);
}

/** Commands as one line each, with `?` for words that are not known. */
export function lines(command: string): string[] {
  return look(command).commands.map((found) => found.argv.map(spell).join(' '));
}

const spell = (word: Word): string => word.text ?? '?';

/** Paths of one kind of effect; the text as written in angle brackets where the path is not known. */
export function paths(command: string, kind: 'read' | 'write' | 'delete' | 'permission'): string[] {
  return effects(command, kind).map((effect) => effect.path ?? `<${effect.raw}>`);
}

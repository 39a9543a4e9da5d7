import { ACTS, type DeedName, OBJECTS } from '../../knowledge/acts.ts';
import { effectActs } from '../../knowledge/load.ts';
import type { Certainty } from '../../shell/analysis.ts';
import type { Facts, Found } from '../facts.ts';
import { isAtLeast } from '../match/certainty.ts';
import type { EffectKey } from '../match/effects.ts';
import type { ConditionsText } from '../schema.ts';
import { deedOfEffect, deedsOf } from './deeds.ts';

type DeedText = Pick<ConditionsText, 'act' | 'object'>;

/** What a call must do for a rule to match: one of these deeds, or an effect that counts as one. */
export interface DeedKeys {
  readonly names: readonly DeedName[];
  readonly effects: readonly EffectKey[];
}

/** Deed conditions of a rule. */
export interface DeedPattern {
  test(facts: Facts): boolean;
  /** The commands with such a deed. */
  commands(facts: Facts): readonly number[];
  /** The effects that count as such a deed. */
  find(facts: Facts): readonly Found[];
}

/** Null if the conditions name no deeds. */
export function deedKeys({ act, object }: DeedText): DeedKeys | null {
  if (act === undefined && object === undefined) return null;
  const objects = [object ?? OBJECTS].flat();
  const names = [act ?? ACTS].flat().flatMap((one) => objects.map((other): DeedName => `${one} ${other}`));
  const lines = effectActs().filter(({ deed }) => names.includes(deed));
  const effects = lines.map(({ words: [kind = '', ...words] }) => ({ kind, word: words.at(-1) ?? null }));
  return { names, effects };
}

/** `least` is the minimum certainty of an effect. */
export function deedPattern({ names, effects }: DeedKeys, least: Certainty): DeedPattern {
  const wanted: ReadonlySet<DeedName | null> = new Set(names);
  const find = (facts: Facts) =>
    effects.length === 0
      ? []
      : facts
          .effects()
          .filter(({ tags, certainty }) => isAtLeast(certainty, least) && wanted.has(deedOfEffect(tags)));
  const commands = (facts: Facts) =>
    (facts.analysis()?.commands ?? []).flatMap((command, index) =>
      deedsOf(command).some((name) => wanted.has(name)) ? [index] : [],
    );
  const isDone = (facts: Facts): boolean => {
    for (const command of facts.analysis()?.commands ?? [])
      for (const name of deedsOf(command)) if (wanted.has(name)) return true;
    return false;
  };
  return { test: (facts) => isDone(facts) || find(facts).length > 0, commands, find };
}

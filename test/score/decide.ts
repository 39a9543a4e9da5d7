import { join } from 'node:path';
import claude from '../../src/agents/claude/index.ts';
import { rulePlaces } from '../../src/home/rule-places.ts';
import { stronger } from '../../src/model/merge.ts';
import { type Decision, none } from '../../src/model/responses.ts';
import type { World } from '../../src/rules/facts.ts';
import { createRulesHandler } from '../../src/rules/handler.ts';
import { packNames } from '../../src/rules/pack.ts';
import { openRuleSet } from '../../src/rules/rule-set.ts';
import { createSessionMemory } from '../../src/rules/session/memory.ts';
import { plainWorld } from '../support/rules/rules.ts';
import { type Row, ScoreError } from './corpus.ts';
import { eventOf, withScene } from './scene.ts';

export interface Verdict {
  readonly decision: Decision;
  /** The ids of the rules that it comes from. */
  readonly rules: readonly string[];
  /** The pack calm, were it on, would let it run without a question. */
  readonly calm: boolean;
}

/** As nvm and npm install it. */
const NODE = `${plainWorld.home}/.nvm/versions/node/v22.11.0`;
const PROGRAM = { packages: [`${NODE}/lib/node_modules/hookline`], runtimes: [`${NODE}/bin/node`] };

/**
 * The rules as they are in a fresh installation, with some packs turned on besides. Each call is judged as the first
 * of a session, on a machine with nothing on it but what its row says: what is on this one has no influence.
 */
export function createDecider(packs: readonly string[]): (row: Row) => Verdict {
  const unknown = packs.filter((name) => !packNames().includes(name));
  if (unknown.length > 0)
    throw new ScoreError(`There is no pack ${unknown.join(', ')}. There are: ${packNames().join(', ')}.`);
  const decide = judgeWith(packs, BARE_WORLD);
  const decideCalmly = judgeWith([...packs, 'calm'], EMPTY_WORLD);
  return (row) => {
    const { decision, rules } = decide(row);
    const isStopped = decision === 'deny' || decision === 'ask';
    return { decision, rules, calm: !isStopped && decideCalmly(row).decision === 'allow' };
  };
}

function judgeWith(packs: readonly string[], world: World): (row: Row) => Omit<Verdict, 'calm'> {
  const nowhere = join(import.meta.dirname, 'no-such-folder');
  const { index, problems } = openRuleSet({
    folder: nowhere,
    trustFile: nowhere,
    systemFolder: nowhere,
    packs: Object.fromEntries(packs.map((name) => [name, 'on' as const])),
    off: [],
    places: rulePlaces(`${plainWorld.home}/.hookline`, PROGRAM),
  }).inForce(null);
  return ({ call, scene }) => {
    const handler = createRulesHandler({
      rulesFor: () => ({ index, problems }),
      world: scene === null ? world : withScene(world, scene),
      memory: createSessionMemory(),
      failed: (_, what) => {
        throw new Error(what);
      },
    });
    const opinions = handler.decide(eventOf(call));
    if (opinions instanceof Promise) throw new Error('rules answer at once');
    const decision = opinions.map(({ response }) => response.decision).reduce(stronger, none().decision);
    const winners = opinions.filter(({ response }) => response.decision === decision);
    return { decision, rules: winners.map(({ by }) => by) };
  };
}

const BARE_WORLD: World = { ...plainWorld, readingTools: () => claude.readingTools ?? {} };

/** The same machine, where it is also known that there is nothing in its folders. */
const EMPTY_WORLD: World = {
  ...BARE_WORLD,
  namesIn: () => [],
  filesBelow: () => [],
  startsPrograms: () => false,
};

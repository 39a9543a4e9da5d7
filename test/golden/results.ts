import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { HookEvent } from '../../src/model/events.ts';
import { redact } from '../../src/redact/redact.ts';
import { deedsIn } from '../../src/rules/deeds/deeds.ts';
import { createFacts, type World } from '../../src/rules/facts.ts';
import { createRulesHandler } from '../../src/rules/handler.ts';
import { packNames } from '../../src/rules/pack.ts';
import { EXAMPLE_PLACES } from '../../src/rules/places/example.ts';
import { openRuleSet } from '../../src/rules/rule-set.ts';
import { createSessionMemory } from '../../src/rules/session/memory.ts';
import { analyse } from '../../src/shell/analyse.ts';
import { plainWorld, shellCall } from '../support/rules/rules.ts';
import type { Input } from './inputs.ts';

/** The result for one input, short enough to store and read. */
export interface Result {
  readonly text: string;
  /** Each rule with an opinion, and which. */
  readonly rules: readonly string[];
  /** What it does, each with its most telling words. */
  readonly effects: readonly string[];
  /** Its acts and objects, and where they happen. */
  readonly deeds: readonly string[];
  /** All of the analysis. */
  readonly analysis: string;
  readonly redacted: string;
}

const HOME = '/home/dev';
const PROJECT = `${HOME}/shop`;

/** The same machine, where it is also known that there is nothing in its folders. */
const EMPTY_WORLD: World = {
  ...plainWorld,
  namesIn: () => [],
  filesBelow: () => [],
  startsPrograms: () => false,
};

/** Judges with every pack turned on, `calm` included. */
export function createJudge(): (input: Input) => Result {
  const nowhere = join(import.meta.dirname, 'no-such-folder');
  const { index, problems } = openRuleSet({
    folder: nowhere,
    trustFile: nowhere,
    systemFolder: nowhere,
    packs: Object.fromEntries(packNames().map((name) => [name, 'on' as const])),
    off: [],
    places: EXAMPLE_PLACES,
  }).inForce(null);
  const opinionsOn = (event: HookEvent, world: World): string[] => {
    const handler = createRulesHandler({
      rulesFor: () => ({ index, problems }),
      world,
      memory: createSessionMemory(),
      failed: (_, what) => {
        throw new Error(what);
      },
    });
    const opinions = handler.decide(event);
    if (opinions instanceof Promise) throw new Error('rules answer at once');
    return opinions.map(({ by, response }) => `${response.decision} ${by}`).sort();
  };
  return ({ text, call }) => {
    const { event, world } = call ?? { event: shellCall(text, PROJECT), world: EMPTY_WORLD };
    const rules = opinionsOn(event, world);
    const deeds = deedsIn(createFacts(event, world, createSessionMemory()))
      .map(({ name, place }) => `${name} in ${place()}`)
      .sort();
    return { text, rules, deeds, ...(call ? NO_ANALYSIS : analysed(text)), redacted: hash(redact(text)) };
  };
}

const NO_ANALYSIS = { effects: [], analysis: '' };

/** Effects as a multiset: their order does not matter. */
function analysed(text: string): Pick<Result, 'effects' | 'analysis'> {
  const { effects, names, ...rest } = analyse(text, { cwd: PROJECT, home: HOME, env: ENV });
  const sorted = effects.map((effect) => JSON.stringify(effect)).sort();
  return { effects: sorted, analysis: hash(JSON.stringify([rest, [...names], sorted])) };
}

const ENV = { HOME, PATH: '/usr/bin:/bin', USER: 'dev' };

/** 36 bits: enough to tell some thousand lines apart. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 6);
}

/** One line of a golden file: the input, all that comes of it, and what that is by act and object. */
export function goldenLine({ text, rules, deeds, analysis, redacted }: Result): string {
  return `${hash(text)} ${hash(JSON.stringify([rules, analysis, redacted]))} ${hash(JSON.stringify(deeds))}`;
}

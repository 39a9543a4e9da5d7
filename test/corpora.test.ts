import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../src/agents/_registry.ts';
import { stronger } from '../src/model/merge.ts';
import { type Decision, none } from '../src/model/responses.ts';
import { openRuleBook, type PackMode } from '../src/rules/book.ts';
import { createRulesHandler } from '../src/rules/handler.ts';
import { createSessionMemory } from '../src/rules/memory.ts';
import { plainWorld, shellCall } from '../src/rules/testing.ts';

/** Labelled commands of other projects. They are no part of this one, so they may be missing. */
const folder = fileURLToPath(new URL('../../shared/corpora/', import.meta.url));
const there = existsSync(folder);
if (!there) console.warn(`The corpora are not in ${folder}: what the packs stop was not measured.`);

const row = v.object({ command: v.string(), label: v.picklist(['deny', 'allow']) });

const PROJECT = '/home/dev/shop';

function judge(packs: Readonly<Record<string, PackMode>>): (command: string) => Decision {
  const rules = openRuleBook({
    folder: `${folder}none`,
    trustFile: `${folder}none`,
    systemFolder: `${folder}none`,
    packs,
    off: [],
    places: {
      'hookline-home': [`${plainWorld.home}/.hookline/**`],
      'agent-settings': [...AGENTS.values()].flatMap((agent) => agent.settingsFiles),
    },
  });
  const handler = createRulesHandler({
    rulesFor: ({ projectId }) => rules.inForce(projectId),
    world: plainWorld,
    memory: createSessionMemory(),
    failed: (_, what) => {
      throw new Error(what);
    },
  });
  return (command) => {
    const opinions = handler.decide(shellCall(command, PROJECT));
    if (opinions instanceof Promise) throw new Error('rules answer at once');
    return opinions.map(({ response }) => response.decision).reduce(stronger, none().decision);
  };
}

const defaults = {};
const services = { cloud: 'on', databases: 'on', containers: 'on' } as const;

/** Shares of the dangerous commands that are stopped, and of the others that are denied, and asked about. */
describe.runIf(there).each([
  { corpus: 'dcg_corpus', packs: defaults, stopped: 0.98, denied: 0.01, asked: 0.02 },
  // Some of its commands are labelled both ways, as they depend on a mode.
  { corpus: 'cc_safety_net', packs: defaults, stopped: 0.95, denied: 0.01, asked: 0.1 },
  { corpus: 'dcg_packs', packs: services, stopped: 0.9, denied: 0.01, asked: 0.02 },
  { corpus: 'karanb192', packs: services, stopped: 0.95, denied: 0.1, asked: 0.3 },
  { corpus: 'xuebinma_agent_guard', packs: defaults, stopped: 0.8, denied: 0, asked: 0 },
])('$corpus', ({ corpus, packs, stopped, denied, asked }) => {
  const rows = readFileSync(`${folder}${corpus}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => v.parse(row, JSON.parse(line)));
  const decide = judge(packs);
  const shareOf = (label: 'deny' | 'allow', wanted: readonly Decision[]) => {
    const all = rows.filter((one) => one.label === label);
    return all.filter(({ command }) => wanted.includes(decide(command))).length / all.length;
  };

  test(`stops at least ${stopped * 100} % of what is dangerous`, () => {
    expect(shareOf('deny', ['deny', 'ask'])).toBeGreaterThanOrEqual(stopped);
  });

  test(`denies at most ${denied * 100} % of what is not`, () => {
    expect(shareOf('allow', ['deny'])).toBeLessThanOrEqual(denied);
  });

  test(`asks about at most ${asked * 100} % of what is not`, () => {
    expect(shareOf('allow', ['ask'])).toBeLessThanOrEqual(asked);
  });
});

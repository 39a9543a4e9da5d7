import { expect } from 'vitest';
import type { Program } from '../../src/home/program.ts';
import { agentPrograms, rulePlaces } from '../../src/home/rule-places.ts';
import type { HookEvent } from '../../src/model/events.ts';
import type { World } from '../../src/rules/facts.ts';
import { createRulesHandler } from '../../src/rules/handler.ts';
import { openRuleSet } from '../../src/rules/rule-set.ts';
import { createSessionMemory } from '../../src/rules/session/memory.ts';
import { plainWorld, shellCall } from '../support/rules/rules.ts';

export const HOME = '/home/dev/.hookline';

/** Where a system has Node, and npm has global packages. */
export const SYSTEM_PROGRAM: Program = {
  packages: ['/usr/lib/node_modules/hookline'],
  runtimes: ['/usr/bin/node'],
};

type Decision = 'deny' | 'ask' | 'none';

/** The decision of all rules that are on by default on any event. */
export function judgedEvent(
  packs: Readonly<Record<string, 'on' | 'off'>> = {},
  world: Partial<World> = {},
  program: Program = SYSTEM_PROGRAM,
): (event: HookEvent) => Decision {
  const set = openRuleSet({
    folder: '/nowhere',
    trustFile: '/nowhere',
    systemFolder: '/nowhere',
    packs,
    off: [],
    places: rulePlaces(HOME, program),
  });
  const { index, problems } = set.inForce(null);
  expect(problems).toEqual([]);
  return (event) => {
    const handler = createRulesHandler({
      rulesFor: () => ({ index, problems: [] }),
      world: { ...plainWorld, programs: agentPrograms(), ...world },
      memory: createSessionMemory(),
      failed: (_, what) => {
        throw new Error(what);
      },
    });
    const opinions = handler.decide(event);
    if (opinions instanceof Promise) throw new Error('rules answer at once');
    const said = opinions.map(({ response }) => response.decision);
    return said.includes('deny') ? 'deny' : said.includes('ask') ? 'ask' : 'none';
  };
}

/** The same for a command line; without self-protection, the decision of the other rules. */
export function judged(
  packs: Readonly<Record<string, 'on' | 'off'>> = {},
  world: Partial<World> = {},
  program: Program = SYSTEM_PROGRAM,
): (command: string, cwd?: string) => Decision {
  const decide = judgedEvent(packs, world, program);
  return (command, cwd) => decide(callIn(cwd, command));
}

/** A call that names the folder it runs in, as the shells of some agents let it. */
function callIn(cwd: string | undefined, command: string): HookEvent {
  const event = shellCall(command);
  return cwd === undefined ? event : { ...event, tool: { ...event.tool, cwd } };
}

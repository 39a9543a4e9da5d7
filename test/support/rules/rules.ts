import type { EventBase, EventOf, HookEvent } from '../../../src/model/events.ts';
import { deny } from '../../../src/model/responses.ts';
import { createFacts, type Facts, type World } from '../../../src/rules/facts.ts';
import { parseRules } from '../../../src/rules/files/load.ts';
import { createRulesHandler } from '../../../src/rules/handler.ts';
import { exampleBase } from '../../../src/rules/review/example-event.ts';
import type { Rule } from '../../../src/rules/rule.ts';
import { indexRules } from '../../../src/rules/rule-index.ts';
import { createSessionMemory } from '../../../src/rules/session/memory.ts';

/** A machine on which everything is as it is called. */
export const plainWorld: World = {
  home: '/home/dev',
  now: () => 0,
  real: (path) => path,
  branchOf: () => 'main',
  treeOf: () => 'clean',
  runOptions: () => ({}),
  unlocked: () => false,
};

/** The rules in a text, which has to be right. */
export function rulesIn(yaml: string): readonly Rule[] {
  const { rules, problems } = parseRules(yaml, 'test.yaml');
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return rules;
}

/** A command line that an agent is about to run in its project. */
export function shellCall(command: string, project = '/home/dev/project'): EventOf<'before_tool'> {
  return {
    ...exampleBase({ sessionId: 's1', cwd: project, projectId: project }),
    type: 'before_tool',
    tool: {
      name: 'Bash',
      nativeName: 'Bash',
      kind: 'shell',
      input: { command },
      useId: null,
      mcp: null,
      command,
      files: [],
    },
  };
}

/** A file that an agent is about to write in its project. */
export function writeCall(path: string, given: Partial<EventBase> = {}): EventOf<'before_tool'> {
  const project = '/home/dev/project';
  return {
    ...exampleBase({ sessionId: 's1', cwd: project, projectId: project, ...given }),
    type: 'before_tool',
    tool: {
      name: 'Write',
      nativeName: 'Write',
      kind: 'write',
      input: {},
      useId: null,
      mcp: null,
      command: null,
      files: [{ op: 'write', path }],
    },
  };
}

export function factsOf(event: HookEvent, world: Partial<World> = {}, guarded?: Facts['guarded']): Facts {
  return createFacts(event, { ...plainWorld, ...world }, createSessionMemory(), guarded);
}

/** Does the only rule of a text match a command line? */
export function matches(rule: string, command: string, world: Partial<World> = {}): boolean {
  const [only] = rulesIn(`rules: [{deny: no, ${rule}}]`);
  if (!only) throw new Error('no rule');
  return only.test(factsOf(shellCall(command), world));
}

/** Rules that remember from one event to the next. A failure of a rule is seen as a denial that says so. */
export function session(yaml: string, world: Partial<World> = {}) {
  const index = indexRules(rulesIn(yaml));
  const handler = createRulesHandler({
    rulesFor: () => ({ index, problems: [] }),
    world: { ...plainWorld, ...world },
    memory: createSessionMemory(),
    failed: (_, what) => deny(`failed: ${what}`),
  });
  return (event: HookEvent) => {
    const opinions = handler.decide(event);
    if (opinions instanceof Promise) throw new Error('rules answer at once');
    return opinions;
  };
}

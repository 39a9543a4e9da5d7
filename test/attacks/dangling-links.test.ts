import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rulePlaces } from '../../src/home/rule-places.ts';
import type { HookEvent } from '../../src/model/events.ts';
import { createRulesHandler } from '../../src/rules/handler.ts';
import { openRuleSet } from '../../src/rules/rule-set.ts';
import { createSessionMemory } from '../../src/rules/session/memory.ts';
import { realPath } from '../../src/rules/world/real-path.ts';
import { plainWorld, shellCall, writeCall } from '../support/rules/rules.ts';
import { scratchFolder } from '../support/scratch.ts';

// A link may lead to a missing file, which a write through the link creates.

function machine() {
  const home = scratchFolder();
  const project = join(home, 'project');
  for (const folder of [project, join(home, '.hookline', 'rules'), join(home, '.claude')])
    mkdirSync(folder, { recursive: true });
  const { index } = openRuleSet({
    folder: '/nowhere',
    trustFile: '/nowhere',
    systemFolder: '/nowhere',
    packs: {},
    off: [],
    places: rulePlaces(join(home, '.hookline')),
  }).inForce(null);
  const handler = createRulesHandler({
    rulesFor: () => ({ index, problems: [] }),
    world: { ...plainWorld, home, real: realPath },
    memory: createSessionMemory(),
    failed: (_, what) => {
      throw new Error(what);
    },
  });
  const decide = (event: HookEvent) => {
    const opinions = handler.decide(event);
    if (opinions instanceof Promise) throw new Error('rules answer at once');
    return opinions.map(({ response }) => response.decision);
  };
  return { home, project, decide };
}

describe.each([['.hookline/rules/new.yaml'], ['.claude/settings.local.json'], ['.bashrc']])(
  'through a link to a missing %s',
  (target) => {
    test.each([
      ['straight', (to: string, link: string) => symlinkSync(to, link)],
      [
        'through another link',
        (to: string, link: string) => {
          symlinkSync(to, `${link}.2`);
          symlinkSync('d.txt.2', link);
        },
      ],
      ['from where it lies', (to: string, link: string) => symlinkSync(relative(dirname(link), to), link)],
    ])('no write goes undetected: %s', (_, make) => {
      const { home, project, decide } = machine();
      make(join(home, target), join(project, 'd.txt'));
      const place = { cwd: project, projectId: project };
      expect(decide(writeCall(join(project, 'd.txt'), place))).not.toEqual([]);
      expect(decide(shellCall('echo x > d.txt', project))).not.toEqual([]);
    });
  },
);

test('circular links lead nowhere', () => {
  const folder = scratchFolder();
  symlinkSync('b', join(folder, 'a'));
  symlinkSync('a', join(folder, 'b'));
  expect(realPath(join(folder, 'a', 'x'))).toBe(join(folder, 'a', 'x'));
});

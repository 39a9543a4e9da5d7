import { afterEach, beforeEach, expect, test } from 'vitest';
import { askWith, placesIn, type Scratch, scratchFiles, toolEvent } from '../../test/support/hooks.ts';
import { AGENTS } from '../agents/_registry.ts';
import { projectHash, setTrust } from '../rules/files/trust.ts';
import { type HookRegistry, openHooks } from './registry.ts';

let scratch: Scratch;
let registry: HookRegistry;
let trust: string;
let project: string;

beforeEach(() => {
  scratch = scratchFiles();
  project = `${scratch.path}/project`;
  const places = placesIn(scratch.path);
  trust = places.trust;
  registry = openHooks(places, AGENTS);
});
afterEach(() => {
  registry.close();
});

const deny = (reason: string) =>
  `import { defineHook, deny } from 'hookline';\nexport default defineHook({ on: 'tool', run: () => deny('${reason}') });\n`;
const names = async () => (await registry.hooksFor(project)).map(({ name }) => name);

test('code hooks of the home by name, then hooks.yaml, then code hooks of a project', async () => {
  scratch.write('hooks/b.ts', deny('b'));
  scratch.write('hooks/a.mjs', deny('a'));
  scratch.write(
    'hooks.yaml',
    'hooks:\n  - { name: z, type: command, dialect: claude, command: x }\n  - { name: y, type: command, dialect: claude, command: x }\n',
  );
  scratch.write('project/.hookline/hooks/p.ts', deny('p'));
  setTrust(project, projectHash(project), trust);
  expect(await names()).toEqual(['a', 'b', 'z', 'y', 'p']);
});

test("runs a project's code only while it is trusted as it was read", async () => {
  scratch.write('project/.hookline/hooks/p.ts', deny('first'));
  expect(await names()).toEqual([]);
  setTrust(project, projectHash(project), trust);
  const [hook] = await registry.hooksFor(project);
  const event = toolEvent('claude', 'Bash', { command: 'ls' }, project);
  expect(await hook?.run(event, askWith(5_000))).toMatchObject({ reason: 'first' });
  expect(await registry.hooksFor(`${scratch.path}/other`)).toEqual([]);

  scratch.write('project/.hookline/hooks/p.ts', deny('changed'));
  expect(await names()).toEqual([]);
  setTrust(project, projectHash(project), trust);
  const [again] = await registry.hooksFor(project);
  expect(await again?.run(event, askWith(5_000))).toMatchObject({ reason: 'changed' });
});

test('a file added next to a trusted hook ends the trust', async () => {
  scratch.write('project/.hookline/hooks/p.ts', deny('p'));
  setTrust(project, projectHash(project), trust);
  expect(await names()).toEqual(['p']);
  scratch.write('project/.hookline/hooks/_evil.ts', 'export {};');
  expect(await names()).toEqual([]);
});

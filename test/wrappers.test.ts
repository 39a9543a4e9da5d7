import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { AGENTS } from '../src/agents/_registry.ts';
import { VERSION } from '../src/version.ts';

// Plugins and extensions are made from the agents' folders. `npm run wrappers` regenerates them.
const root = fileURLToPath(new URL('../', import.meta.url));
const files = [...AGENTS.values()].flatMap((agent) => agent.setup.wrapper?.files(VERSION) ?? []);

test.each(files)('$path is what the agent says', async ({ path, text }) => {
  await expect(text).toMatchFileSnapshot(`${root}${path}`);
});

test('there are no others', () => {
  const found = ['plugins', '.claude-plugin'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length).replaceAll('\\', '/')),
  );
  expect(found.sort()).toEqual(files.map(({ path }) => path).sort());
});

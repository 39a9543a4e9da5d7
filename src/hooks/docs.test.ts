import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { placesIn, scratchFiles } from '../../test/support/hooks.ts';
import { AGENTS } from '../agents/_registry.ts';
import { openHooks } from './registry.ts';

const text = readFileSync(new URL('../../docs/hooks.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  );

test('every example in docs/hooks.md works', async () => {
  const [code, yaml] = [blocks('ts'), blocks('yaml')];
  expect([code.length, yaml.length]).toEqual([3, 2]);
  for (const file of yaml) {
    const scratch = scratchFiles();
    for (const [index, block] of code.entries()) scratch.write(`hooks/example-${index}.ts`, block);
    scratch.write('hooks.yaml', file);
    const registry = openHooks(placesIn(scratch.path), AGENTS);
    try {
      const names = (await registry.hooksFor(null)).map(({ name }) => name);
      expect(registry.problems()).toEqual([]);
      expect(names.slice(0, 4)).toEqual(['example-0', 'one-migration', 'where-we-are', 'ask-once']);
      expect(names.length).toBeGreaterThan(4);
    } finally {
      registry.close();
    }
  }
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { BEST_FORWARDER, bashPayload, scratchProduct } from './faults/product.ts';

const RULES = `rules:
  - id: releases
    command: npm publish
    deny: Releases are made by CI.
`;
const SETTINGS = '{\n  "model": "opus"\n}\n';
const denial = v.object({
  hookSpecificOutput: v.object({
    permissionDecision: v.literal('deny'),
    permissionDecisionReason: v.string(),
  }),
});

// The product tier tests all of this in depth: here it only must not be broken.
test('the built product starts, is set up, denies a call, records it and is removed', {
  timeout: 120_000,
}, async () => {
  const product = scratchProduct();
  const settings = join(product.folder, '.claude', 'settings.json');
  mkdirSync(dirname(settings));
  writeFileSync(settings, SETTINGS);
  product.rules(RULES);

  expect(await product.run(['up'])).toMatchObject({ code: 0, stderr: '' });
  expect(await product.run(['setup', 'claude', '--yes'])).toMatchObject({ code: 0 });
  expect(readFileSync(settings, 'utf8')).toContain('PreToolUse');

  const denied = await product.hook(BEST_FORWARDER, 'PreToolUse', bashPayload('npm publish'));
  const { hookSpecificOutput } = v.parse(denial, JSON.parse(denied.stdout));
  expect(hookSpecificOutput.permissionDecisionReason).toContain('Releases are made by CI.');
  const passed = await product.hook(BEST_FORWARDER, 'PreToolUse', bashPayload('npm test'));
  expect(passed).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await product.events()).map(({ response }) => response.decision)).toEqual(['deny', 'none']);

  expect(await product.run(['remove', 'claude', '--yes'])).toMatchObject({ code: 0 });
  expect(readFileSync(settings, 'utf8')).toBe(SETTINGS);
  expect(await product.run(['down'])).toMatchObject({ code: 0 });
});

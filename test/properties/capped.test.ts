import { expect, test } from 'vitest';
import fc from './capped.ts';
import { propertyFiles } from './files.ts';

test.each([
  [{ numRuns: 10_000 }, 100],
  [{}, 100],
  [{ numRuns: 3 }, 3],
])('a property with %j makes %i runs', async (parameters, expected) => {
  let runs = 0;
  const counting = fc.property(fc.nat(), () => {
    runs += 1;
  });
  await fc.assert(counting, parameters);
  expect(runs).toBe(expected);
});

test('a failing property fails', () => {
  expect(() => fc.assert(fc.property(fc.nat(), (n) => n < 0))).toThrow('Property failed');
});

test('waits for an asynchronous property', async () => {
  await expect(fc.assert(fc.asyncProperty(fc.nat(), async (n) => n < 0))).rejects.toThrow('Property failed');
});

test('finds files with properties, including those of the agent contract', () => {
  const files = propertyFiles();
  expect(files).toContain('src/redact/linear.test.ts');
  expect(files).toContain('src/agents/claude/agent.test.ts');
  expect(files).not.toContain('test/layering.test.ts');
});

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('V8 knows the flag with which functions are compiled early', () => {
  const flags = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(flags).toMatch(/^\s*--interrupt-budget \(/m);
});

import { expect, test } from 'vitest';
import { withoutMentions } from './mentions.ts';

const CALL = /(?:eval|system)\s*\(/;

test.each([
  "const BAD = ['eval(x)'];",
  "const WHY = { 'system(x)': 'runs a line' };",
  'new Set(["eval(x)"])',
  "it('does', () => { const bad = `system(x)`; })",
  "x = 'a'; // that's it\ny = 'eval(x)'",
])('a call that is only mentioned does not count: %s', (code) => {
  expect(CALL.test(withoutMentions(code, '//'))).toBe(false);
});

test.each([
  'eval("x")',
  'execSync(\'node -e "eval(x)"\')',
  'spawn("sh", ["-c", "php -r system(x)"])',
  "writeFileSync('x.js', 'eval(x)')",
])('a call that is run, or written to be run, counts: %s', (code) => {
  expect(withoutMentions(code, '//')).toBe(code);
});

test('docstrings of Python do not count', () => {
  expect(CALL.test(withoutMentions('def f():\n    """Like os.system(x),\n    eval(y)."""\n', '#'))).toBe(
    false,
  );
  expect(withoutMentions("# don't\nos.system('x')\n", '#')).toBe("# don't\nos.system('x')\n");
});

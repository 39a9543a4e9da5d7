import { expect, test } from 'vitest';
import { onlySubstitutes } from './substitutions.ts';

test.each([
  's/a/b/',
  's/foo\\(/system(/g',
  "s/exec\\('rm -rf'\\)/fs.rmSync(x)/g;\n  s/^a$/b/m;\n",
  's#http://#https://#g',
  'tr/a-z/A-Z/',
  's|unlink\\(\\$x\\)|remove($1)|gi; y/a/b/',
])('%j only substitutes', (code) => {
  expect(onlySubstitutes(code)).toBe(true);
});

test.each([
  's/a/system("ls")/e',
  's/a/system("ls")/gee',
  's/a/b/; system("ls")',
  's/@{[ system("ls") ]}/b/',
  's/a/$' + '{\\ system("ls")}/',
  's/(?{ system("ls") })//',
  's/a/$x[system("ls")]/',
  's/a/$h{system("ls")}/',
  's/a/$x->[system("ls")]/',
  's/a/b/ if system("ls")',
  's/a/b/ and unlink "x"',
  's{a}{b}; unlink "x"',
  's/a/b',
  'print',
  '',
])('%j may do more', (code) => {
  expect(onlySubstitutes(code)).toBe(false);
});

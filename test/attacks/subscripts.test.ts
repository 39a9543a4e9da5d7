import { describe, expect, test } from 'vitest';
import { session, shellCall } from '../support/rules/rules.ts';
import { judged } from './judged.ts';

// Bash evaluates the subscript of a variable name, even in quotes: a test can run a command.

const INNER = 'a[$(rm -rf ~/.hookline)]';

const HIDDEN = [
  `test -v '${INNER}'`,
  `[ -v '${INNER}' ]`,
  `[[ -v '${INNER}' ]]`,
  `[[ '${INNER}' -eq 1 ]]`,
  `printf -v '${INNER}' x`,
  `let '${INNER}=1'`,
  `unset '${INNER}'`,
  `read '${INNER}' < /dev/null`,
  `declare '${INNER}=1'`,
  `x='${INNER}'; echo $((x))`,
  `x='${INNER}'; echo \${y:x}`,
  `x=('${INNER}'); ((x))`,
  `x='${INNER}' bash -c 'echo $((x))'`,
  `read x <<< '${INNER}'; ((x))`,
  `echo '${INNER}' | { read x; ((x)); }`,
  `printf '${INNER}' > d; read x < d; ((x))`,
  `mapfile -t x <<< '${INNER}'; ((x[0]))`,
  `for x in '${INNER}'; do ((x)); done`,
  `set -- '${INNER}'; (($1))`,
  "test -v 'a[`rm -rf ~/.hookline`]'",
  `test -v 'a["$(rm -rf ~/.hookline)"]'`,
];

const EVERYDAY = [
  "[ -v 'a[0]' ]",
  '[[ $a[0] -eq 1 ]]',
  "test -n 'a[1]'",
  "printf '%s\\n' 'a[$(rm -rf ~/.hookline)]'",
  "echo 'a[$(rm -rf ~/.hookline)]'",
  "PS1='[$(date)]'",
  'read -r n < count; echo $((n + 1))',
  'for i in 1 2 3; do ((n += i)); done',
  'set -- a "$@"; echo $#',
  'while read -r line; do echo "$line"; done <<< \'see $(pwd) in [docs]\'',
];

describe('a command in the brackets of a name', () => {
  test.each(HIDDEN)('is evaluated: %s', (line) => {
    expect(judged()(line)).toBe('deny');
  });

  test.each(EVERYDAY)('is not reported where there is none: %s', (line) => {
    expect(judged()(line)).toBe('none');
  });

  test.each(['test', '['])('is not covered by an allow for %s', (program) => {
    const decide = session(`rules: [{allow: true, command: "${program}"}]`);
    const end = program === '[' ? ' ]' : '';
    const allows = (line: string) =>
      decide(shellCall(line)).some(({ response }) => response.decision === 'allow');
    expect(allows(`${program} -v 'a[$(id)]'${end}`)).toBe(false);
    expect(allows(`${program} -f src/a.ts${end}`)).toBe(true);
  });
});

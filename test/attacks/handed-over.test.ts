import { expect, test } from 'vitest';
import { judged } from './judged.ts';

const decide = judged();

test.each([
  "exec 3<<< 'rm -rf ~'; bash <&3",
  "exec 3<<'E'\nrm -rf ~\nE\nsh <&3",
  "exec 4<<< 'hookline down'; bash 0<&4",
  "exec 3<<< 'rm -rf ~'; cat <&3 | sh",
  'bash <&7',
])('evaluates what a shell gets through a descriptor: %s', (command) => {
  expect(decide(command)).not.toBe('none');
});

test.each([
  `perl -e 'exec @ARGV' sh -c 'rm -rf ~'`,
  `perl -e 'system(@ARGV)' rm -rf /home/dev`,
  `python3 -c 'import os,sys; os.execvp(sys.argv[1], sys.argv[1:])' rm -rf /home/dev`,
  `python3 -c 'import subprocess,sys; subprocess.run(sys.argv[1:])' hookline down`,
  `node -e 'require("child_process").spawnSync(process.argv[1], process.argv.slice(2))' -- rm -rf /home/dev`,
  `ruby -e 'exec(*ARGV)' rm -rf /home/dev`,
])('evaluates words that code runs as a program: %s', (command) => {
  expect(decide(command)).not.toBe('none');
});

test.each([
  `python3 -c 'import sys; print(sys.argv[1])' rm`,
  `node -e 'console.log(process.argv.slice(1))' a b`,
  'exec 3<<< "a b"; read x y <&3; echo $x',
  'while read -r line <&3; do echo "$line"; done 3< list.txt',
  'exec 3<&-',
  'cat <&3',
  'ls 2>&1 >/dev/null',
])('no decision for %s', (command) => {
  expect(decide(command)).toBe('none');
});

import { describe, expect, test } from 'vitest';
import { judged } from './judged.ts';

// Gives a command another meaning first: by an alias, by the path cache, or by functions that a shell calls itself.

const DENIED = [
  "shopt -s expand_aliases\nBASH_ALIASES[foo]='rm -rf ~'\nfoo",
  "shopt -s expand_aliases\nBASH_ALIASES=([foo]='rm -rf ~')\nfoo",
  "declare -A BASH_ALIASES=([foo]='rm -rf ~'); foo",
  'hash -p /bin/rm ls; ls -rf ~',
  'BASH_CMDS[foo]=/bin/rm; foo -rf ~',
  'command_not_found_handle() { rm -rf ~; }; foobar',
  'command_not_found_handler() { rm -rf ~; }; foobar',
  "PS1='$(rm -rf ~)' bash -i",
  "env PS1='$(rm -rf ~)' bash -i",
  "export PS1='`rm -rf ~`'; bash -i",
  "PS0='$(rm -rf ~)' bash -i <<< ls",
  "PS2='$(rm -rf ~)' bash -i",
  "PROMPT='$(rm -rf ~)' zsh -i",
];

const EVERYDAY = [
  "alias rm='rm -i'",
  "alias gs='git status'; gs",
  'hash -r',
  'hash -p /usr/bin/git git; git status',
  "PS1='\\u@\\h$(git_branch)\\$ '",
  "export PS1='$(date) $ '",
  'command_not_found_handle() { echo "no $1"; return 127; }',
];

describe('a command by another name', () => {
  const decide = judged();
  test.each(DENIED)('denied: %s', (command) => {
    expect(decide(command)).toBe('deny');
  });
  test('asked if the words are unknown', () => {
    expect(decide('command_not_found_handle() { rm -rf "$2"; }; foobar ~')).toBe('ask');
  });
  test.each(EVERYDAY)('no decision for %s', (command) => {
    expect(decide(command)).toBe('none');
  });
});

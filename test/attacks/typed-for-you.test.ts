import { describe, expect, test } from 'vitest';
import { judged } from './judged.ts';

// What stands in another terminal looks like a person's. So an agent types into one, starts a program in one, or has a
// process that is held by a debugger do it.

const TYPED = [
  'tmux send-keys -t main "hookline approvals approve 1" Enter',
  'tmux set-buffer "hookline down"; tmux paste-buffer -t main',
  'tmux load-buffer - <<< "hookline down"',
  'printf "hookline down" > k; tmux load-buffer k; tmux paste-buffer',
  'tmux new-session -d "hookline approvals approve 1"',
  'tmux respawn-window -k "hookline down"',
  'screen -S main -X stuff "hookline approvals approve 1\\n"',
  'screen -S main -X register . "hookline down"',
  'screen -dmS x hookline approvals approve 1',
  'zellij action write-chars "hookline approvals approve 1"',
  'zellij --session main action write-chars "hookline down"',
  'zellij action write 104 111 111 107 108 105 110 101 32 100 111 119 110 10',
  'zellij run -- hookline approvals approve 1',
  'zellij action new-pane -- hookline down',
  'kitty @ send-text "hookline down\\n"',
  'kitty @ launch hookline approvals approve 1',
  'wezterm cli spawn -- hookline approvals approve 1',
  'xdotool type "hookline approvals approve 1"',
  'ydotool type "hookline down"',
  'wtype "hookline down"',
  `osascript -e 'tell application "Terminal" to do script "hookline approvals approve 1"'`,
];

const HELD = [
  `gdb -p 123 -batch -ex 'call (int)system("hookline approvals approve 1")'`,
  `gdb --pid=123 -batch -ex 'print system("rm -rf ~/.hookline")'`,
  `gdb -p 123 -batch -eval-command 'call system("hookline down")'`,
  `lldb -p 123 -o 'expr (int)system("hookline down")'`,
  `lldb --batch -o 'platform shell rm -rf ~/.hookline'`,
];

const EVERYDAY = [
  'tmux send-keys -t dev "npm test" Enter',
  'tmux new-session -d -s dev "npm run dev"',
  'tmux set-buffer "some text"',
  'screen -dmS dev npm run dev',
  'zellij run -- npm test',
  'zellij action write-chars "npm test"',
  'kitty @ launch npm test',
  'xdotool key Return',
  'gdb -batch -ex run -ex bt ./a.out',
  "gdb -p 123 -batch -ex 'thread apply all bt'",
  "lldb -p 123 -o 'bt all' --batch",
];

describe('with the rules that are on by default', () => {
  const decide = judged();
  test.each([...TYPED, ...HELD])('denied: %s', (command) => {
    expect(decide(command)).toBe('deny');
  });
  test.each(EVERYDAY)('nothing is said about %s', (command) => {
    expect(decide(command)).toBe('none');
  });
});

test('without self-protection they get through, so that it is what stops them', () => {
  const decide = judged({ 'self-protection': 'off', filesystem: 'off' });
  expect([...TYPED, ...HELD].filter((command) => decide(command) === 'deny')).toEqual([]);
});

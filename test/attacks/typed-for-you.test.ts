import { describe, expect, test } from 'vitest';
import { judged } from './judged.ts';

// Text in another terminal looks like a person's. So an agent types into one, starts a program in one, or controls a
// process there with a debugger.

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
  "screen -dm -s 'hookline down'",
  "tmux send-keys hook; tmux send-keys 'line down' Enter",
  "tmux send-keys hook \\; send-keys 'line down' Enter",
  "tmux set-buffer hook; tmux set-buffer -a 'line down'",
  "printf 'hookline down' > k; xdotool type --file k",
  "echo 'hookline down' | xdotool type --file -",
  `echo 'type "hookline down"' | xdotool -`,
  "echo 'type hookline down' | dotool",
  "dotool <<< 'type hookline down'",
  `osascript -e 'tell application "iTerm2" to tell current session of current window to write text "hookline down"'`,
  `osascript -e 'tell current session to write text "hook" newline no' -e 'tell current session to write text "line down"'`,
  'osascript <<E\ntell current session of current window\nwrite text "hookline down"\nend tell\nE',
  'osascript <<< \'do shell script "hookline down"\'',
  "qdbus org.kde.konsole /Sessions/1 org.kde.konsole.Session.sendText 'hookline down'",
  "qdbus org.kde.konsole /Sessions/1 runCommand 'hookline down'",
  "gdbus call --session --dest org.kde.konsole --object-path /Sessions/1 --method org.kde.konsole.Session.sendText 'hookline down'",
  "dbus-send --session --dest=org.kde.konsole /Sessions/1 org.kde.konsole.Session.sendText string:'hookline down'",
  "busctl --user call org.kde.konsole /Sessions/1 org.kde.konsole.Session sendText s 'hookline down'",
  "nvim --server /tmp/s --remote-send ':!hookline down<CR>'",
  `nvim --server /tmp/s --remote-expr 'system("hookline down")'`,
  "vim --remote-send ':!hookline down<CR>'",
  `emacsclient -e '(shell-command "hookline down")'`,
  `emacsclient --eval '(shell-command "hookline down")'`,
];

/** Multiplexer commands that run or type a line, and files they execute. */
const CONFIGURED = [
  ...[
    'new-session -d "hookline unlock"',
    "new-window 'hookline down'",
    'neww "hookline down"',
    'run-shell -b "hookline down"',
    'run "hookline down"',
    'if-shell true \'run-shell "hookline down"\'',
    "if-shell 'hookline down' ''",
    'if -F 1 { run "hookline down" }',
    'set-hook -g client-attached \'run-shell "hookline down"\'',
    'bind-key x run-shell "hookline down"',
    'bind-key -n F1 { send-keys "hookline unlock" Enter }',
    'set -g default-command "hookline down"',
    'set-option -g status-right "#(hookline down)"',
    'display-message -p "#(hookline down)"',
    'send-keys h o o k l i n e Space d o w n Enter',
    'send-keys -H 68 6f 6f 6b 6c 69 6e 65 20 64 6f 77 6e 0a',
    'pipe-pane -o "hookline down"',
    'respawn-pane -k "hookline down"',
    'confirm-before -y "run-shell \'hookline down\'"',
    'set -s command-alias[9] "zz=run-shell \'hookline down\'"',
    'run-shell -C "run-shell \'hookline down\'"',
    'X=hookline ; run-shell "$X down"',
    'display-popup -E "hookline down"',
    'run-shell "\\150ookline down"',
    'run-shell \\u0068ookline\\040down',
    'bind x { display "a\\"}" ; run-shell "hookline down" }',
    'set -g status-right "#( ( ( hookline down ) ) )"',
  ].flatMap((line) => [
    `cat > z.conf <<'E'\n# mine\n${line}\nE\ntmux -f z.conf start-server`,
    `cat > z.conf <<'E'\n${line}\nE\ntmux source-file z.conf`,
    `tmux -C <<'E'\n${line}\nE`,
    `printf 'source-file z.conf' > y.conf; cat > z.conf <<'E'\n${line}\nE\ntmux -L x -f y.conf new -d`,
  ]),
  'tmux start-server \\; run-shell "hookline down"',
  'tmux new -d\\; send-keys "hookline down" Enter',
  'tmux -c "hookline down"',
  `tmux new-session -d bash -c 'hookline down'`,
  `mkdir c; echo 'run "hookline down"' > c/.tmux.conf; HOME=$PWD/c tmux start-server`,
  `mkdir c c/tmux; echo 'run "hookline down"' > c/tmux/tmux.conf; export XDG_CONFIG_HOME=$PWD/c; tmux new -d`,
  `echo 'screen hookline down' > rc; SCREENRC=rc screen -dm`,
  `mkdir c; echo 'shell hookline down' > c/.gdbinit; HOME=$PWD/c gdb -batch`,
  `mkdir c; echo 'silent !hookline down' > c/.vimrc; HOME=$PWD/c vim x`,
  'tmux new-w "hookline down"',
  'tmate new-session -d "hookline down"',
  ...['screen -t x hookline down', 'exec hookline down', 'bind x stuff "hookline down\\n"'].flatMap(
    (line) => [
      `cat > rc <<'E'\n${line}\nE\nscreen -c rc -dm`,
      `cat > rc <<'E'\n${line}\nE\nscreen -S main -X source rc`,
      `screen -S main -X eval '${line}'`,
    ],
  ),
  'screen -S main -X exec hookline down',
  'screen -S main -X screen hookline down',
  'screen -S main -X at 0 stuff "hookline down\\n"',
  `cat > l.kdl <<'E'\nlayout { pane command="hookline" { args "down" } }\nE\nzellij -l l.kdl`,
  'dtach -n s hookline down',
  'abduco -n s hookline down',
  `cat > x <<'E'\nspawn hookline down\nE\nexpect -f x`,
];

const HELD = [
  `gdb -p 123 -batch -ex 'call (int)system("hookline approvals approve 1")'`,
  `gdb --pid=123 -batch -ex 'print system("rm -rf ~/.hookline")'`,
  `gdb -p 123 -batch -eval-command 'call system("hookline down")'`,
  `lldb -p 123 -o 'expr (int)system("hookline down")'`,
  `lldb --batch -o 'platform shell rm -rf ~/.hookline'`,
  `echo 'shell hookline down' > g; gdb -batch -x g`,
  `echo 'call (int)system("hookline down")' > g; gdb -p 123 -batch -x g`,
  `echo 'source h' > g; echo 'shell hookline down' > h; gdb -batch -x g`,
  `echo 'platform shell hookline down' > g; lldb --batch -s g`,
  `echo 'silent !hookline down' > v; vim -S v`,
  `echo 'silent !hookline down' > v; vim -u v`,
];

const EVERYDAY = [
  'tmux send-keys -t dev "npm test" Enter',
  'tmux new-session -d -s dev "npm run dev"',
  'tmux set-buffer "some text"',
  'screen -dmS dev npm run dev',
  'tmux source-file ~/.tmux.conf',
  `cat > z.conf <<'E'\nset -g mouse on\nset -g status-right "#(date) %H:%M #{pane_id}"\nbind r source-file ~/.tmux.conf\nbind-key -T copy-mode-vi y send-keys -X copy-pipe-and-cancel "xclip -in"\nif-shell "uname | grep -q Darwin" { set -g default-command "zsh" }\nE\ntmux -f z.conf new -d`,
  'tmux new-session -d -s dev "npm run dev" \\; split-window -h "npm test" \\; attach',
  'tmux new-session -d -s w -x 200 -y 50; tmux send-keys -t w "cd /tmp && ls" Enter; tmux capture-pane -p -t w',
  'tmux kill-session -t dev',
  'tmux display -p "#{session_name}"',
  'tmux set -g mouse on',
  'screen -S dev -X quit',
  'vim -u NONE -es -c "%s/a/b/g" -c wq x.txt',
  'zellij run -- npm test',
  'zellij action write-chars "npm test"',
  'kitty @ launch npm test',
  'xdotool key Return',
  'gdb -batch -ex run -ex bt ./a.out',
  "gdb -p 123 -batch -ex 'thread apply all bt'",
  "lldb -p 123 -o 'bt all' --batch",
  'screen -dm -s /bin/bash',
  "tmux send-keys npm; tmux send-keys ' test' Enter",
  'xdotool type --file k',
  "qdbus org.kde.konsole /Sessions/1 sendText 'npm test'",
  "dbus-send --session --dest=org.freedesktop.Notifications /x org.freedesktop.Notifications.Notify string:'hi'",
  "gdbus call --session --dest org.x --object-path / --method org.x.Show 'hi'",
  'nvim --server /tmp/s --remote a.txt',
  "nvim --server /tmp/s --remote-send ':w<CR>'",
  'emacsclient -n a.txt',
  `emacsclient -e '(message "hi")'`,
  `osascript -e 'tell application "iTerm2" to tell current session of current window to write text "npm test"'`,
];

describe('with the default rules', () => {
  const decide = judged();
  test.each([...TYPED, ...CONFIGURED, ...HELD])('denied: %s', (command) => {
    expect(decide(command)).toBe('deny');
  });
  test.each(EVERYDAY)('no decision for %s', (command) => {
    expect(decide(command)).toBe('none');
  });
});

test('without self-protection they succeed, so it is what denies them', () => {
  const decide = judged({ 'self-protection': 'off', filesystem: 'off' });
  expect([...TYPED, ...CONFIGURED, ...HELD].filter((command) => decide(command) === 'deny')).toEqual([]);
});

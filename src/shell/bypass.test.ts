// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions.
import { describe, expect, test } from 'vitest';
import { effects, look, paths } from '../../test/support/shell/shell.ts';

/** Commands that all delete `/srv` recursively, each hidden in the way of its class. */
const DELETES_SRV: Readonly<Record<string, readonly string[]>> = {
  '1 spacing, order and spelling of flags': [
    'rm  -rf   /srv',
    'rm -r -f /srv',
    'rm -f -R /srv',
    'rm --recursive --force /srv',
    'rm --rec --for /srv',
    'rm /srv -rf',
    'rm -vrf -- /srv',
    'rm\t-rf\t/srv',
    'rm -rf \\\n  /srv',
  ],
  '2 quoting and escapes in the command word': [
    'r\\m -rf /srv',
    '"rm" -rf /srv',
    "r''m -rf /srv",
    `r""m -rf '/srv'`,
    "$'\\x72m' -rf /srv",
    "$'\\162\\155' -rf /srv",
    "$'\\u0072m' -rf $'/srv'",
    'RM -rf /srv',
    'r\\\nm -rf /srv',
  ],
  '3 paths and versions of the program': [
    '/bin/rm -rf /srv',
    '/usr/bin/../bin/rm -rf /srv',
    '=rm -rf /srv',
    'rm.exe -rf /srv',
    './rm -rf /srv',
    '/usr/bin/python3.12 -c "import shutil; shutil.rmtree(\'/srv\')"',
  ],
  '4 assignments in front': [
    'FOO=1 rm -rf /srv',
    'LC_ALL=C A=b rm -rf /srv',
    "env -S 'rm -rf /srv'",
    "env --split-string='rm -rf /srv'",
    'env -i A=1 rm -rf /srv',
    'env -u PATH -C /tmp rm -rf /srv',
    'env - rm -rf /srv',
  ],
  '5 wrappers': [
    'timeout 5 rm -rf /srv',
    'timeout -k 1 -s KILL 5s rm -rf /srv',
    'nice -n 19 rm -rf /srv',
    'doas -u root rm -rf /srv',
    'sudo -u root -- rm -rf /srv',
    'nohup setsid stdbuf -oL ionice -c 3 rm -rf /srv',
    'command rm -rf /srv',
    'builtin command rm -rf /srv',
    'exec rm -rf /srv',
    'time -p rm -rf /srv',
    'flock /tmp/l rm -rf /srv',
    "flock /tmp/l -c 'rm -rf /srv'",
    'chroot / rm -rf /srv',
    'strace -f -o /tmp/t rm -rf /srv',
    'busybox rm -rf /srv',
    'some-unknown-runner rm -rf /srv',
    'unknown --level 3 rm -rf /srv',
    'noglob rm -rf /srv',
    'repeat 3 rm -rf /srv',
  ],
  '6 nested shells': [
    "sh -c 'rm -rf /srv'",
    "bash -lc 'rm -rf /srv'",
    'bash -c"rm -rf /srv"',
    "bash -c -- 'rm -rf /srv'",
    "zsh -o extendedglob -c 'rm -rf /srv'",
    "$SHELL -c 'rm -rf /srv'",
    "eval 'rm -rf /srv'",
    'eval rm -rf /srv',
    'source <(echo rm -rf /srv)',
    '. <(echo rm -rf /srv)',
    "trap 'rm -rf /srv' EXIT",
    "bash <<< 'rm -rf /srv'",
    "echo 'rm -rf /srv' | sh",
    "su - root -c 'rm -rf /srv'",
    "script -qc 'rm -rf /srv' /dev/null",
    "watch -n1 'rm -rf /srv'",
    'bash -c \'bash -c "rm -rf /srv"\'',
    "sh -c 'rm -rf $1' _ /srv",
    'echo $(rm -rf /srv)',
    'echo `rm -rf /srv`',
    'echo $((1+$(rm -rf /srv)))',
    'cat <(rm -rf /srv)',
    'x=$(rm -rf /srv)',
    '[[ -n $(rm -rf /srv) ]]',
    'coproc rm -rf /srv',
    '( rm -rf /srv ) & wait',
    'if rm -rf /srv; then :; fi',
    'case $(rm -rf /srv) in x) ;; esac',
    'f() { rm -rf /srv; }; f',
    'f() { rm -rf "$1"; }; f /srv',
    '! rm -rf /srv',
  ],
  '7 argument feeders': [
    'echo /srv | xargs rm -rf',
    "printf '%s\\0' /srv | xargs -0 rm -rf",
    "echo /srv | xargs -I{} sh -c 'rm -rf {}'",
    'echo /srv | xargs -n1 -P4 rm -rf',
    'find /srv -delete',
    'parallel rm -rf ::: /srv',
    'parallel rm -rf {} ::: /srv',
    'echo /srv | parallel rm -rf',
    "parallel ::: 'rm -rf /srv'",
  ],
  '7b variables that a shell runs': [
    "PROMPT_COMMAND='rm -rf /srv' bash -i",
    "export PROMPT_COMMAND='rm -rf /srv'",
    "PROMPT_COMMAND=(ls 'rm -rf /srv')",
    "printf -v PROMPT_COMMAND 'rm -rf /srv'",
    "PS4='+ $(rm -rf /srv)' bash -x x.sh",
    "env PS4='`rm -rf /srv`' bash -x x.sh",
    "PS4='${X:-$(rm -rf /srv)}'",
    "PS4='+\nE\nEE\n# $(rm -rf /srv)' bash -x x.sh",
  ],
  '8 git runs other programs': [
    "git -c alias.x='!rm -rf /srv' x",
    "git -c core.sshCommand='rm -rf /srv' fetch",
    "GIT_SSH_COMMAND='rm -rf /srv' git push",
    "export GIT_SSH_COMMAND='rm -rf /srv'; git fetch",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm -rf /srv' git x",
    "git rebase -x 'rm -rf /srv' HEAD~2",
    'git bisect run rm -rf /srv',
    "git submodule foreach 'rm -rf /srv'",
    "git clone 'ext::rm -rf /srv'",
    "git filter-branch --tree-filter 'rm -rf /srv' HEAD",
  ],
  '9 here-documents': [
    'bash <<EOF\nrm -rf /srv\nEOF',
    "bash <<'EOF'\nrm -rf /srv\nEOF",
    'bash <<-EOF\n\trm -rf /srv\n\tEOF',
    'cat <<EOF | sh\nrm -rf /srv\nEOF',
    'cat <<EOF; rm -rf /srv\ntext\nEOF',
    'cat <<A <<B\na\nA\n$(rm -rf /srv)\nB',
    'cat <<EOF\n$(rm -rf /srv)\nEOF',
    'cat <<EOF\n`rm -rf /srv`\nEOF',
    'sudo bash -s <<EOF\nrm -rf /srv\nEOF',
    "python3 - <<'EOF'\nimport shutil\nshutil.rmtree('/srv')\nEOF",
  ],
  '10 variables and substitution': [
    'X=rm; $X -rf /srv',
    'X=rm; ${X} -rf /srv',
    'X="rm -rf"; $X /srv',
    'A=r; B=m; $A$B -rf /srv',
    '${tool:=rm} -rf /srv',
    '${tool:-rm} -rf /srv',
    'X=xrm; ${X#x} -rf /srv',
    'X=RM; ${X,,} -rf /srv',
    'X=rn; ${X/n/m} -rf /srv',
    'X=arm; ${X:1} -rf /srv',
    'a=(rm -rf /srv); "${a[@]}"',
    'a=(x rm); ${a[1]} -rf /srv',
    'N=X; X=rm; ${!N} -rf /srv',
    'set -- rm -rf /srv; "$@"',
    'printf -v p rm; $p -rf /srv',
    'declare -l p=RM; $p -rf /srv',
    'read -r a b <<< "rm -rf"; $a $b /srv',
    'IFS=,; x=rm,-rf,/srv; $x',
    'rm${IFS}-rf${IFS}/srv',
    'r$@m -rf /srv',
    '$(echo rm) -rf /srv',
    '`printf %s rm` -rf /srv',
    'D=/srv; rm -rf $D',
    'D=/; rm -rf "${D}srv"',
    'rm -rf ${HOME:0:1}srv',
    "export X=rm; sh -c '$X -rf /srv'",
    'for c in ls rm; do $c -rf /srv; done',
    'X=echo; while true; do "$X" -rf /srv; X=rm; break; done; rm -rf /srv',
    'alias x="rm -rf"; x /srv',
  ],
  '11 globs and braces': [
    'rm -rf /sr[v]',
    'rm -rf /{srv,}',
    'r{m,} -rf /srv',
    '{rm,-rf,/srv}',
    'rm -rf /sr{v..v}',
    'rm -rf /tmp/{a,../srv}',
  ],
  '12 path tricks': [
    'rm -rf /tmp/../srv',
    'rm -rf /./srv/',
    'rm -rf //srv',
    'rm -rf /proc/self/root/srv',
    'cd /; rm -rf srv',
    'cd /home && cd .. && rm -rf srv',
    'pushd /; rm -rf ./srv',
    'env -C / rm -rf srv',
    'sudo -D / rm -rf srv',
    'rm -rf ../../../srv',
  ],
  '13 written now, run later on the same line': [
    "echo 'rm -rf /srv' > x.sh; bash x.sh",
    "cat > x.sh <<'EOF'\nrm -rf /srv\nEOF\nchmod +x x.sh && ./x.sh",
    "echo 'rm -rf /srv' | tee x.sh; sh x.sh",
    "printf 'rm -rf /srv' > a; mv a b; source ./b",
    'echo "import shutil; shutil.rmtree(\'/srv\')" > x.py && python x.py',
  ],
  '15 encodings': [
    'echo cm0gLXJmIC9zcnY= | base64 -d | sh',
    'base64 --decode <<< cm0gLXJmIC9zcnY= | bash',
    'echo 726d202d7266202f737276 | xxd -r -p | sh',
    "echo 'vrs/ fr- mr' | rev | sh",
    "printf '\\x72\\x6d -rf /srv' | sh",
    "echo -e '\\162m -rf /srv' | sh",
    "echo 'sn -sg /tsw' | tr b-z a-y | sh",
    'bash -c "$(echo cm0gLXJmIC9zcnY= | base64 -d)"',
    'eval "$(printf %s cm0gLXJmIC9zcnY= | openssl base64 -d)"',
  ],
  '16 interpreters': [
    'python -c "import shutil; shutil.rmtree(\'/srv\')"',
    'python3 -c "import os; os.system(\'rm -rf /srv\')"',
    "python3 -c \"import subprocess; subprocess.run(['rm', '-rf', '/srv'])\"",
    'python3 -c "p = \'/srv\'; import shutil; shutil.rmtree(p)"',
    "node -e \"require('fs').rmSync('/srv', {recursive: true})\"",
    "node -e \"require('child_process').execSync('rm -rf /srv')\"",
    "node -pe \"require('child_process').spawnSync('rm', ['-rf', '/srv'])\"",
    "ruby -e \"require 'fileutils'; FileUtils.rm_rf('/srv')\"",
    "ruby -e '`rm -rf /srv`'",
    'ruby -e \'system "rm -rf /srv"\'',
    'perl -e \'system("rm -rf /srv")\'',
    "perl -we 'exec q(rm -rf /srv)'",
    'php -r \'shell_exec("rm -rf /srv");\'',
    'lua -e \'os.execute("rm -rf /srv")\'',
    'osascript -e \'do shell script "rm -rf /srv"\'',
    'awk \'BEGIN { system("rm -rf /srv") }\'',
    'gawk \'BEGIN { system("rm\\x20-rf\\x20/srv") }\'',
    'awk \'BEGIN { "rm -rf /srv" | getline }\'',
    "vim -c '!rm -rf /srv' x",
    "sed '1e rm -rf /srv' x",
  ],
  '20 text that the shell makes': [
    'set rm -rf /srv; "$@"',
    "read -d '' x <<< $'echo\\nrm -rf /srv'; eval \"$x\"",
    "IFS=: read a b c <<< 'rm:-rf:/srv'; $a $b $c",
    'IFS=: read -ra v <<< \'rm:-rf:/srv\'; "${v[@]}"',
    "read <<< 'rm -rf /srv'; $REPLY",
    "printf '\\U00000072m -rf /srv' | sh",
    "printf '%.2s -rf /srv' rmx | sh",
    "printf '%-5s%s' rm '-rf /srv' | sh",
    "echo -e 'rm -rf /srv\\cx' | sh",
    "mapfile -C 'rm -rf /srv;' -c 1 a < list",
    "compgen -C 'rm -rf /srv'",
    "compgen -W '$(rm -rf /srv)'",
  ],
  '21 options of a shell that begin with a plus': [
    "bash +x -c 'rm -rf /srv'",
    "bash -x +o posix -c 'rm -rf /srv'",
    "echo 'rm -rf /srv' | bash +x",
    "echo 'rm -rf /srv' | bash +O extglob",
  ],
  '24 what one command writes and another reads': [
    "echo 'rm -rf /srv' > >(sh)",
    "printf 'rm -rf /srv' 2>&1 > >(bash -s)",
    "exec <<< 'rm -rf /srv'; sh",
    "echo 'rm -rf /srv' > x; exec < x; sh",
    "echo 'rm -rf /srv' > x; sh <> x",
  ],
  '25 programs of archivers and wrappers': [
    "tar cIf 'rm -rf /srv' x y",
    "tar cfF x 'rm -rf /srv' y",
    "tar --new-volume-script='rm -rf /srv' -cf x y",
    "tar --rmt-command='rm -rf /srv' -cf h:x y",
    "bsdtar --use-compress-program 'rm -rf /srv' -xf x",
    "zip -TT'rm -rf /srv' -T x y",
    "capsh -- -c 'rm -rf /srv'",
    'perf stat -r 3 rm -rf /srv',
    'setpriv --pdeathsig KILL rm -rf /srv',
    "ls | entr -s 'rm -rf /srv'",
    'ls | entr -r rm -rf /srv',
    'setarch -R rm -rf /srv',
    'setarch x86_64 rm -rf /srv',
    "execlineb -c 'rm -rf /srv'",
    "mispipe cat 'rm -rf /srv'",
    "pee 'rm -rf /srv'",
    "cross-env-shell A=1 'rm -rf /srv'",
    'script -q /dev/null rm -rf /srv',
    "script /dev/null -c 'rm -rf /srv'",
  ],
  '28 programs that hand a line to a shell': [
    "echo 'syscmd(rm -rf /srv)' | m4",
    "dc -e '!rm -rf /srv'",
    "echo '!rm -rf /srv' | ed",
    "ed x <<< 'r !rm -rf /srv'",
    'gnuplot -e \'system("rm -rf /srv")\'',
    'octave --eval \'system("rm -rf /srv")\'',
    'racket -e \'(system "rm -rf /srv")\'',
    'emacs -batch -eval \'(shell-command "rm -rf /srv")\'',
    'vim -c \'exe "!rm -rf /srv"\'',
    'awk \'BEGIN { c = "rm -rf /srv"; c | getline }\'',
    'awk \'BEGIN { c = "rm -rf /srv"; print | c }\'',
    "yarn exec 'rm -rf /srv'",
    "pnpm --shell-mode exec 'rm -rf /srv'",
    "bun exec 'rm -rf /srv'",
    "pnpm -c exec 'rm -rf /srv'",
    "echo 'rm -rf /srv' | ifne sh",
    "composer exec 'rm -rf /srv'",
    "git ls-remote --exec='rm -rf /srv;' .",
    "git push --exec='rm -rf /srv;' .",
    "git send-email --to-cmd='rm -rf /srv' a",
    "git -c core.askPass='rm -rf /srv' fetch",
    "git -c interactive.diffFilter='rm -rf /srv' add -p",
    "git -c trailer.x.cmd='rm -rf /srv' commit",
  ],
};

describe.each(Object.entries(DELETES_SRV))('class %s', (_, commands) => {
  test.each(commands)('%j', (command) => {
    const found = effects(command, 'delete').filter((effect) => effect.recursive && effect.path === '/srv');
    expect(found.length, JSON.stringify(look(command), null, 1)).toBeGreaterThan(0);
  });
});

describe('class 9: here-documents are data', () => {
  test.each([
    "cat <<'EOF'\nrm -rf /srv\nEOF",
    'grep rm <<EOF\nrm -rf /srv\nEOF',
    "tee notes <<'EOF'\n$(rm -rf /srv)\nEOF",
    "cat <<< 'rm -rf /srv'",
  ])('%j', (command) => {
    expect(effects(command, 'delete')).toEqual([]);
    expect(look(command).coverage).toBe('complete');
  });
});

describe('class 14: readers that can write', () => {
  test.each([
    ['sort -o /etc/x in', '/etc/x'],
    ['sort in -uo /etc/x', '/etc/x'],
    ['sed -i s/a/b/ /etc/x', '/etc/x'],
    ["sed -n 'w /etc/x' in", '/etc/x'],
    ["sed 's/a/b/w /etc/x' in", '/etc/x'],
    ['awk \'{ print > "/etc/x" }\' in', '/etc/x'],
    ['echo a | tee /etc/x', '/etc/x'],
    ['echo a | tee -a /etc/x', '/etc/x'],
    ['xxd in /etc/x', '/etc/x'],
    ['uniq in /etc/x', '/etc/x'],
    ['curl -o /etc/x https://a.example/', '/etc/x'],
    ['wget -O/etc/x https://a.example/', '/etc/x'],
    ['find . -fprint /etc/x', '/etc/x'],
    ['dd if=in of=/etc/x', '/etc/x'],
    ['git diff --output=/etc/x', '/etc/x'],
    ['echo a>/etc/x', '/etc/x'],
    ['cat in &>>/etc/x', '/etc/x'],
    ['> /etc/x', '/etc/x'],
  ])('%j', (command, path) => {
    expect(paths(command, 'write')).toContain(path);
  });
});

describe('class 15: unknown PowerShell and encoded commands are reported as not understood', () => {
  test.each([
    'powershell -EncodedCommand cgBtAA==',
    'pwsh -enc cgBtAA==',
    'Clear-Everything C:\\x',
    'Get-ChildItem | ForEach-Object { $_.Frobnicate() }',
    '[Foo.Bar]::Run($env:PATH)',
  ])('%j', (command) => {
    const { coverage, why } = look(command);
    expect(coverage).toBe('failed');
    expect(why.join()).toContain('powershell');
  });

  test('finds what is written in the line', () => {
    expect(effects('Remove-Item -Recurse -Force /srv', 'delete')[0]).toMatchObject({
      path: '/srv',
      recursive: true,
      force: true,
    });
  });
});

describe('class 17: resources and protocol', () => {
  test.each([
    ['NUL', 'echo a\0; rm -rf /srv'],
    ['control characters', 'echo \x07'],
    ['our own marker', 'echo \uE000'],
  ])('rejects %s', (_, command) => {
    expect(look(command).coverage).toBe('failed');
  });

  test('a line that is too long is over budget', () => {
    expect(look(`echo ${'a'.repeat(2_000_000)}`).coverage).toBe('over-budget');
  });

  test('still scans rejected text for words', () => {
    expect(paths('true \0; rm -rf /srv', 'delete')).toContain('/srv');
  });

  test('padding does not hide what follows it', () => {
    expect(paths(`: ${'x'.repeat(50_000)}; rm -rf /srv`, 'delete')).toEqual(['/srv']);
  });
});

describe('class 18: commands that are typed into another program', () => {
  test.each([
    "tmux send-keys -t 0 'rm -rf /srv' Enter",
    "tmux new-session -d 'rm -rf /srv'",
    'screen -dm rm -rf /srv',
    "echo 'rm -rf /srv' | at now",
  ])('%j', (command) => {
    expect(paths(command, 'delete')).toContain('/srv');
  });
});

describe('class 19: mentioning a command does not run it', () => {
  test.each([
    "echo 'rm -rf /srv'",
    'git commit -m "stop using rm -rf /srv"',
    "grep -rn 'rm -rf /srv' .",
    'command -v rm',
    'which rm',
    'man rm',
    'type -a rm',
    '# rm -rf /srv',
    'python -c "print(\'rm -rf /srv\')"',
    "sed 's/rm -rf/x/' file",
    'rm --help',
    'hookline try --tool Bash --input \'{"command":"rm -rf /srv"}\'',
    'f() { rm -rf /srv; }',
  ])('%j', (command) => {
    expect(effects(command, 'delete')).toEqual([]);
    expect(look(command).coverage).toBe('complete');
  });
});

describe('a line that sets where names lead', () => {
  test.each([
    'HOME=/; rm -rf ~/srv',
    'HOME=/ && cd && rm -rf srv',
    'export HOME=/; cd ~; rm -rf srv',
    "HOME=/ sh -c 'rm -rf ~/srv'",
    "env HOME=/ sh -c 'rm -rf ~/srv'",
    'HOME=/srv; rm -rf ~',
  ])('finds what `~` means in %s', (line) => {
    expect(paths(line, 'delete')).toContain('/srv');
  });

  test('in front of a command it changes no word of it', () => {
    expect(paths('HOME=/ rm -rf ~/srv', 'delete')).toEqual(['/home/dev/srv']);
  });

  test('without a home, where `~` leads is not known', () => {
    expect(effects('unset HOME; rm -rf ~/srv', 'delete')).toMatchObject([{ path: null }]);
  });

  test.each(['CDPATH=/; cd srv; rm -rf a', 'export CDPATH=/ && cd srv && rm -rf a'])(
    'looks for the folder in all that `CDPATH` names: %s',
    (line) => {
      const [deleted] = effects(line, 'delete');
      expect(deleted).toMatchObject({ among: ['/srv/a', '/home/dev/shop/srv/a'] });
    },
  );

  test.each(['CDPATH=/; cd ./src; rm -rf a', 'CDPATH=; cd src; rm -rf a'])('but not in %s', (line) => {
    expect(paths(line, 'delete')).toEqual(['/home/dev/shop/src/a']);
  });
});

describe('what find runs in the folder of what it finds', () => {
  test('is looked for there', () => {
    const [deleted] = effects("find ~/notes -name a -execdir rm -f b ';'", 'delete');
    expect(deleted).toMatchObject({
      among: ['/home/dev/b', '/home/dev/notes/b', '/home/dev/notes/**/b'],
    });
  });

  test('may be what is found, and nothing above the folder that it begins in', () => {
    const line = "find . -name '*.bak' -execdir rm -f {} ';'";
    expect(paths(line, 'delete')).toEqual(['/home/dev/shop/**/*.bak']);
    expect(paths('find . -execdir ls ";"; rm x', 'delete')).toEqual(['/home/dev/shop/x']);
  });
});

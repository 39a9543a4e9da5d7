import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realPath } from '../../src/rules/world/real-path.ts';
import { scratchFolder } from '../support/scratch.ts';
import { judged } from './judged.ts';

// Another name for the configuration: through links of processes, open descriptors, and links of the same command.

const CONFIG = '~/.hookline/config.yaml';

const DENIED = [
  'cp c /proc/self/cwd/../.hookline/config.yaml',
  'cp c /proc/self/root/../home/dev/.hookline/config.yaml',
  'cp c /proc/self/fd/../cwd/../.hookline/config.yaml',
  'cd -P /proc/self/cwd/..; cp c .hookline/config.yaml',
  `exec 3<${CONFIG}; cp x /dev/fd/3`,
  `exec 3<${CONFIG}; cp x /proc/$$/fd/3`,
  `exec 3<${CONFIG}; cat x > //dev/./fd/3`,
  `exec {fd}<${CONFIG}; cat x > /dev/fd/$fd`,
  `cp x /dev/fd/3 3<${CONFIG}`,
  `{ cp x /dev/fd/3; } 3<${CONFIG}`,
  `tee /dev/stdin <${CONFIG}`,
  `cp x /dev/stdin <${CONFIG}`,
  `cp x /proc/self/fd/0 <${CONFIG}`,
  'ln -s / r; cp c r/home/dev/.hookline/config.yaml',
  'ln -s ~/.config /tmp/a; cp c /tmp/a/../.hookline/config.yaml',
  'ln -s ~/.config /tmp/a; rm -rf /tmp/a/../.hookline',
  'ln -s /proc/self/cwd r; cp c r/../.hookline/config.yaml',
];

/** A path that another command prints. */
const PRINTED = [
  'cp x $(realpath ~/.hookline/bin/hookline-forward)',
  'cat x | tee $(realpath ~/.hookline/bin/hookline-forward)',
  `cat x > $(readlink -f ${CONFIG})`,
  `cat x > \`readlink -e ${CONFIG}\``,
  'ln -sf x $(realpath ~/.hookline/bin/hookline-forward)',
  `mv x "$(realpath ${CONFIG})"`,
  `cd $(dirname ${CONFIG}) && cp /tmp/x config.yaml`,
  `cd "$(dirname "$(realpath ${CONFIG})")" && cp /tmp/x config.yaml`,
  `rm $(realpath ${CONFIG})`,
  `rm $(dirname ${CONFIG})/config.yaml`,
  `D=$(dirname ${CONFIG}); cp x $D/$(basename /a/config.yaml.bak .bak)`,
  'cp x $(dirname ~/.hookline/run/x)/../config.yaml',
  'cd ~; cp x $(realpath .hookline/config.yaml)',
  `cp x $(stat -c %n ${CONFIG})`,
  `cp x $(stat --format=%n ${CONFIG})`,
  `cp x $(stat --printf '%n\\n' ${CONFIG})`,
  'cp x $(realpath ~/.claude/settings.json)',
  'sed -i s/a/b/ $(realpath ~/.claude/settings.json)',
  'ln -s ~ r; cp x $(realpath r)/.hookline/config.yaml',
];

const ASKED = [
  'cp c /proc/123/cwd/../config.yaml',
  'cp c /dev/fd/../cwd/../.hookline/config.yaml',
  'cd /dev/fd/..; cd cwd/..; cp c .hookline/x',
  'cp -rT x /proc/4711/cwd',
  'cp -r x /proc/4711/cwd',
  'cp -r /proc/4711/cwd x',
  'tar -C /proc/4711/cwd -xf x.tar',
  'rsync -a x/ /proc/4711/cwd',
  'unzip x.zip -d /proc/4711/cwd',
  'cat x > /proc/4711/fd/19',
  'cat /proc/4711/fd/19',
  'frobnicate /proc/4711/cwd/config.yaml',
  'cd /proc/4711/cwd; frobnicate config.yaml',
  'D=$(readlink /proc/4711/cwd); cp c $D/config.yaml',
  'cp c $(realpath /proc/4711/cwd)/config.yaml',
  'cp c $(readlink -f /proc/4711/cwd)/config.yaml',
  'cd "$(readlink /proc/4711/cwd)" && cp /tmp/c config.yaml',
  'python3 -c \'import os; os.chdir("/proc/4711/cwd"); open("config.yaml", "w").write("")\'',
  'node -e \'process.chdir("/proc/4711/cwd"); fs.writeFileSync("config.yaml", "")\'',
  'ruby -e \'Dir.chdir("/proc/4711/cwd"); File.write("config.yaml", "")\'',
  'python3 -c \'import os; os.chdir("/proc/4711/cwd"); os.system("cp /tmp/c config.yaml")\'',
  'find -L /proc -maxdepth 3 -name config.yaml -exec cp x {} \\;',
  'find -L /proc/4711 -name config.yaml -exec cp x {} +',
  'nsenter -t 4711 -w tee config.yaml < x',
  'nsenter --target 4711 --wd cp /tmp/x config.yaml',
  'nsenter -t 4711 --wd=/proc/4711/cwd tee config.yaml < x',
  'echo x >> $(realpath ~/.bashrc)',
];

const EVERYDAY = [
  'cat /dev/fd/3',
  'cat x > /dev/fd/3',
  'echo hi > /dev/stderr',
  'tee /dev/fd/2 < a',
  'exec 3> log.txt; echo x > /dev/fd/3',
  'jq . /dev/stdin < a.json',
  'ls -l /proc/123/cwd /proc/123/fd',
  'readlink /proc/123/cwd',
  'readlink /proc/123/fd/1',
  'echo started > /proc/1/fd/1',
  'cat node_modules/../package.json',
  'ln -s ../src/a lib/a; cp b lib/a',
  'cd "$(dirname "$0")"',
  'cd "$(dirname "$0")" && cp a b',
  'cp $(realpath a) b',
  'cp a $(realpath b)',
  'cp a $(dirname x)/y',
  'mv $(basename a.txt .txt).md b',
  'rm $(realpath dist)/x',
  'rm -rf $(dirname dist/x)/tmp',
  `SCRIPT_DIR="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"; cp a $SCRIPT_DIR/b`,
  'D=$(readlink /proc/123/cwd); echo $D',
  'readlink -f /proc/123/exe',
  'nsenter -t 123 -n ip a',
  'find -L /proc/123 -maxdepth 1 -name status',
  'python3 -c \'import os; os.chdir("/tmp"); open("x", "w").write("")\'',
  'python3 -c \'import os; os.chdir("src"); open("x", "w").write("")\'',
  'docker run --rm -v "$(pwd)":/src alpine sh -c "cp /src/a /src/b"',
  'docker run --rm -v $PWD:/app -w /app node:20 npm test',
];

describe('paths through links', () => {
  const decide = judged();
  test.each([...DENIED, ...PRINTED])('denied: %s', (command) => {
    expect(decide(command)).toBe('deny');
  });
  test.each(ASKED)('asked: %s', (command) => {
    expect(decide(command)).toBe('ask');
  });
  test.each(EVERYDAY)('no decision for %s', (command) => {
    expect(decide(command)).toBe('none');
  });
});

test('the parent of a link on disk is the parent of its target', () => {
  const folder = scratchFolder();
  const home = join(folder, 'dev');
  mkdirSync(join(home, '.config'), { recursive: true });
  symlinkSync(join(home, '.config'), join(folder, 'r'));
  const decide = judged({}, { home, real: realPath });
  expect(decide(`cp c ${folder}/r/../.ssh/authorized_keys`)).not.toBe('none');
  expect(decide(`cp c ${folder}/.config/../.ssh/x`)).toBe('none');
});

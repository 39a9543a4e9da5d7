import { describe, expect, test } from 'vitest';
import { judged } from './judged.ts';

// A program text names no file of Hookline's: it lists everything in the home and changes what it finds.

const ATTACKS = [
  `python3 -c "import os; [os.remove(os.path.join('/home/dev', f)) for f in os.listdir('/home/dev')]"`,
  `python3 -c "import os; [os.remove(os.path.join(d, f)) for d, _, fs in os.walk('/home/dev') for f in fs]"`,
  `python3 <<'EOF'\nimport os\nfor d, _, fs in os.walk(os.path.expanduser('~')):\n  for f in fs:\n    if f == 'config.yaml': open(os.path.join(d, f), 'w').close()\nEOF`,
  `python3 -c "import glob, os; [os.remove(f) for f in glob.glob('/home/dev/**/config.yaml', recursive=True)]"`,
  `node -e "const { globSync } = require('fs'); globSync('/home/dev/.*/config.yaml').forEach((f) => fs.unlinkSync(f))"`,
  `ruby -e 'Dir.children(Dir.home).each { |f| File.delete(File.join(Dir.home, f)) }'`,
  `perl -e 'opendir D, $ENV{HOME}; unlink "$ENV{HOME}/$_" for readdir D'`,
  `perl -MFile::Find -e 'find(sub { unlink if /config/ }, $ENV{HOME})'`,
  `ruby -rfind -e 'Find.find(Dir.home) { |f| File.delete(f) }'`,
];

/** Other rules apply to the directory it changes into. */
const STOPPED_TWICE = [
  `perl -MFile::Find=finddepth -e 'finddepth(sub { unlink }, "/home/dev")'`,
  `perl -e 'use File::Find; find(sub { unlink $_ }, "/home/dev/")'`,
  `python3 <<'EOF'\nimport os\nos.chdir(os.path.expanduser('~'))\nfor f in os.listdir('.'): os.rename(f, '/tmp/' + f)\nEOF`,
];

const EVERYDAY = [
  `perl -MFile::Find -e 'find(sub { print }, $ENV{HOME})'`,
  `perl -MFile::Find -e 'find(sub { unlink if /o$/ }, "build")'`,
  `python3 -c "import os; print(os.listdir(os.path.expanduser('~')))"`,
  `python3 -c "import os; [os.remove(f) for f in os.listdir('.') if f.endswith('.tmp')]"`,
  `python3 -c "import pathlib; [p.unlink() for p in pathlib.Path('build').glob('*.o')]"`,
  `node -e "fs.readdirSync('dist').forEach((f) => fs.unlinkSync('dist/' + f))"`,
  `python3 -c "import os; os.remove(os.path.expanduser('~/notes/x'))"`,
];

describe('with the default rules', () => {
  const decide = judged();
  test.each([...ATTACKS, ...STOPPED_TWICE])('asked or denied: %s', (command) => {
    expect(decide(command)).toMatch(/ask|deny/);
  });
  test.each(EVERYDAY)('no decision for %s', (command) => {
    expect(decide(command)).toBe('none');
  });
});

test('without self-protection they succeed, so it is what denies them', () => {
  const decide = judged({
    'self-protection': 'off',
    filesystem: 'off',
    persistence: 'off',
    recommended: 'off',
  });
  expect(ATTACKS.filter((command) => decide(command) !== 'none')).toEqual([]);
});

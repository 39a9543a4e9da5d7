import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// A payload, a repository or another program may have put a pipe where a file should be. To open one waits for the other
// end, and all agents wait meanwhile: what may be named by others is opened by `src/platform/bounded-files.ts`.

const source = new URL('../src/', import.meta.url);
const FOLDERS = ['daemon', 'engine', 'history', 'hooks', 'rules', 'forwarder'];
const PLAIN = /\b(?:readFileSync|openSync|createReadStream|appendFileSync|readFile|appendFile)\(/;

/** They read what the package has, and nothing that others name. */
const OF_THE_PACKAGE: readonly string[] = [
  'daemon/web.ts',
  'forwarder/install.ts',
  'forwarder/native-program.ts',
  'rules/pack-compile.ts',
  'rules/pack-data.ts',
];

const isForTests = (file: string) =>
  /\.test\.ts$|(?:^|\/)(?:[\w-]+-)?testing(?:-[\w-]+)?(?:\/|\.ts)/.test(file);

test('files that others may name are opened without waiting', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, source), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll('\\', '/')}`,
    ),
  );
  const plain = files
    .filter((file) => file.endsWith('.ts') && !isForTests(file))
    .filter((file) => PLAIN.test(readFileSync(new URL(file, source), 'utf8')));
  expect(files.length).toBeGreaterThan(200);
  expect(plain.sort()).toEqual(OF_THE_PACKAGE);
});

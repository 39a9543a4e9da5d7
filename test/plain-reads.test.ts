import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// A payload, a repository or another program may have put a pipe where a file should be. To open one waits for the other
// end, and all agents wait meanwhile: what may be named by others is opened by `src/platform/bounded-files.ts`.

const source = new URL('../src/', import.meta.url);
const PLAIN =
  /\b(?:readFileSync|openSync|createReadStream|appendFileSync|readFile|appendFile|openAsBlob)\(|\bfs\.(?:promises|open|read)/;

/** Code that opens files differently, and why no other user can control their names. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'it is the one that looks': ['platform/bounded-files.ts'],
  'what the package has': [
    'agents/kit/shim/file.ts',
    'cli/demo/recording.ts',
    'daemon/web/page.ts',
    'forwarder/install.ts',
    'forwarder/native-program.ts',
    'knowledge/compile.ts',
    'knowledge/load.ts',
    'rules/files/built.ts',
    'rules/pack-compile.ts',
    'store/database/migrate.ts',
    'version.ts',
  ],
  'what the kernel says': [
    'access/daemon-process.ts',
    'access/processes.ts',
    'cli/exec/end-processes.ts',
    'home/daemon/own-processes.ts',
    'platform/lock-writer.ts',
    'platform/open-files.ts',
    'sandbox/processes.ts',
    'wire/impostor.ts',
  ],
  'the database, its log and its lock, which only Hookline makes': [
    'home/daemon/lock.ts',
    'store/chain/head.ts',
    'store/repair/database-files.ts',
    'store/repair/log-frames.ts',
    'store/database/open.ts',
    'store/repair/rebuild.ts',
    'store/database/upgrade-copy.ts',
  ],
  'the log and the output of the daemon, and files that are written under a new name': [
    'home/log.ts',
    'home/daemon/start-daemon.ts',
    'platform/files.ts',
  ],
  'a file named on the command line, which may well be a pipe': [
    'agents/codex/app-server/launch.ts',
    'cli/values.ts',
  ],
  'it is opened without waiting there, too': ['cli/exec/last-message-file.ts', 'home/program-record.ts'],
  'what a run of a client in a sandbox left, in the process of a test': [
    'live/check.ts',
    'live/given-rules.ts',
    'live/hookline.ts',
    'live/project-files.ts',
    'sandbox/install.ts',
  ],
  'words that code of others has': ['shell/code/languages.ts', 'shell/code/rust.ts'],
};

const isForTests = (file: string) => /\.test\.ts$/.test(file);

test('files that others may name are opened without blocking', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  const plain = files
    .filter((file) => file.endsWith('.ts') && !isForTests(file))
    .filter((file) => PLAIN.test(readFileSync(new URL(file, source), 'utf8')));
  expect(files.length).toBeGreaterThan(1000);
  expect(plain.sort()).toEqual(Object.values(EXCEPTIONS).flat().sort());
});

import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLastGood } from '../../src/platform/last-good.ts';
import { openRules, type SourceOptions } from '../../src/rules/files/source.ts';
import { projectHash, setTrust } from '../../src/rules/files/trust.ts';
import { bashPayload, FORWARDERS, scratchProduct } from '../faults/product.ts';
import { scratchFolder } from '../support/scratch.ts';

// A rule file that was broken used to lift its guards with the next restart, and at once where no daemon answered: the
// last good version was kept in memory only.

const GUARD = 'rules: [{id: guard, deny: "not this", command: rm}]\n';
const SLIPS: readonly (readonly [what: string, text: string])[] = [
  ['a misspelt key', 'rules: [{id: guard, dney: "not this", command: rm}]\n'],
  ['a bracket that is never closed', 'rules: [{id: guard, deny: "not'],
  ['another file', 'hello: [world]\n'],
];

interface Folder {
  readonly file: string;
  /** As a process does that has just started. */
  start(options?: SourceOptions): ReturnType<typeof openRules>;
}

function scratchRules(): Folder {
  const home = scratchFolder();
  const folder = join(home, 'rules');
  mkdirSync(folder);
  return {
    file: join(folder, 'mine.yaml'),
    start: (options) => openRules(folder, { lastGood: openLastGood(join(home, 'last-good')), ...options }),
  };
}

const ids = (source: ReturnType<typeof openRules>) => source.rules().map(({ id }) => id);

/** True if the rule still applies after its file was broken and the process restarted. */
function survives(slip: string, options?: (folder: Folder) => SourceOptions): boolean {
  const folder = scratchRules();
  writeFileSync(folder.file, GUARD);
  const given = options?.(folder);
  expect(ids(folder.start(given))).toEqual(['guard']);
  writeFileSync(folder.file, slip);
  const again = folder.start(given);
  const [problem] = again.problems();
  expect(problem?.where).toContain('mine.yaml');
  return ids(again).includes('guard') && /last good version applies/.test(problem?.message ?? '');
}

describe('a rule file that breaks', () => {
  test.each(SLIPS)('by %s keeps its rules after a restart', (_, slip) => {
    expect(survives(slip)).toBe(true);
  });

  test.each(SLIPS)('by %s would lose its rules if nothing were stored on disk', (_, slip) => {
    expect(survives(slip, () => ({ lastGood: openLastGood('/dev/null/nowhere') }))).toBe(false);
  });

  test.each(['', '\n \n'])(
    'by being emptied (%j) keeps its rules after a restart, and reports it',
    (slip) => {
      expect(survives(slip)).toBe(true);
    },
  );

  test('a file with only comments has no rules, which is a problem only if it had some before', () => {
    const folder = scratchRules();
    writeFileSync(folder.file, '');
    expect(folder.start().problems()).toEqual([]);
    writeFileSync(folder.file, GUARD);
    expect(ids(folder.start())).toEqual(['guard']);
    writeFileSync(folder.file, `# ${GUARD}`);
    expect(ids(folder.start())).toEqual([]);
  });

  test('counts again as soon as it is fixed', () => {
    const folder = scratchRules();
    writeFileSync(folder.file, GUARD);
    folder.start().load();
    writeFileSync(folder.file, 'rules: [');
    expect(ids(folder.start())).toEqual(['guard']);
    writeFileSync(folder.file, 'rules: [{id: other, deny: no}]\n');
    const fixed = folder.start();
    expect(ids(fixed)).toEqual(['other']);
    expect(fixed.problems()).toEqual([]);
    writeFileSync(folder.file, 'rules: [');
    expect(ids(folder.start())).toEqual(['other']);
  });

  test.each(['while it runs', 'between two starts'])(
    'has no last good version once deleted on purpose %s',
    (when) => {
      const folder = scratchRules();
      writeFileSync(folder.file, GUARD);
      const source = folder.start();
      source.load();
      rmSync(folder.file);
      expect(ids(when === 'while it runs' ? source : folder.start())).toEqual([]);
      writeFileSync(folder.file, 'rules: [');
      expect(ids(folder.start())).toEqual([]);
    },
  );

  test('an unlistable directory keeps its rules after a restart', () => {
    const folder = scratchRules();
    writeFileSync(folder.file, GUARD);
    folder.start().load();
    rmSync(join(folder.file, '..'), { recursive: true });
    writeFileSync(join(folder.file, '..'), 'a file now');
    expect(ids(folder.start())).toEqual(['guard']);
  });

  test.skipIf(process.platform === 'win32')('only the owner can read the stored version', () => {
    const folder = scratchRules();
    writeFileSync(folder.file, GUARD);
    folder.start().load();
    const kept = join(folder.file, '..', '..', 'last-good');
    const [name = ''] = readdirSync(kept);
    expect(statSync(kept).mode & 0o777).toBe(0o700);
    expect(statSync(join(kept, name)).mode & 0o777).toBe(0o600);
    // Edited by hand, it is no longer the good version.
    writeFileSync(
      join(kept, name),
      `{"path":"${folder.file}","hash":"x","files":{"${folder.file}":"rules: []"}}`,
    );
    writeFileSync(folder.file, 'rules: [');
    expect(ids(folder.start())).toEqual([]);
  });
});

describe('a project’s rule file that breaks', () => {
  const project = (trusted: boolean) => {
    const product = scratchProduct();
    const rules = join(product.folder, '.hookline', 'rules');
    mkdirSync(rules, { recursive: true });
    mkdirSync(join(product.folder, '.git'));
    const file = join(rules, 'theirs.yaml');
    writeFileSync(
      file,
      `rules: [{id: guard, deny: no, command: rm}, {id: free, allow: true, command: ls}]\n`,
    );
    if (trusted) setTrust(product.folder, projectHash(product.folder), product.paths.trust);
    const listed = async () => {
      const { stdout } = await product.read(['rules', 'list', '--json']);
      const all = stdout
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      return all.filter(({ layer }) => layer === 'project').map(({ id }) => id);
    };
    return { file, listed };
  };

  test('has a last good version only if it was trusted, and only its deny and ask rules', async () => {
    const trusted = project(true);
    expect(await trusted.listed()).toEqual(['guard', 'free']);
    writeFileSync(trusted.file, 'rules: [');
    expect(await trusted.listed()).toEqual(['guard']);

    const untrusted = project(false);
    expect(await untrusted.listed()).toEqual(['guard']);
    writeFileSync(untrusted.file, 'rules: [');
    expect(await untrusted.listed()).toEqual([]);
  });
});

describe.each(FORWARDERS)('the %s forwarder', (forwarder) => {
  test('denies by the last good rules, without a daemon and with a new one, and every surface reports it', async () => {
    const product = scratchProduct();
    product.rules(GUARD);
    const offline = { HOOKLINE_NO_AUTOSTART: '1' };
    const denied = async (env: Record<string, string>) =>
      (await product.hook(forwarder, 'PreToolUse', bashPayload('rm x'), env)).stdout.includes('not this');
    expect(await denied(offline)).toBe(true);
    product.rules('rules: [');
    expect(await denied(offline)).toBe(true);
    const said = expect.stringContaining('last good version applies');
    for (const command of [['status'], ['doctor'], ['rules', 'list'], ['rules', 'check']]) {
      const { stdout } = await product.read(command);
      expect({ command, stdout }).toEqual({ command, stdout: said });
    }
    expect((await product.run(['up'])).code).toBe(0);
    expect(await denied({})).toBe(true);
    expect((await product.read(['status'])).stdout).toEqual(said);
  });
});

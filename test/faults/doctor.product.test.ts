import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import { apiSocketPath, socketPath } from '../../src/wire/socket-path.ts';
import { BEST_FORWARDER, type Product, scratchProduct } from './product.ts';

const diagnosis = v.object({
  ok: v.boolean(),
  reports: v.array(
    v.object({
      about: v.string(),
      findings: v.array(
        v.object({
          level: v.picklist(['ok', 'limit', 'warning', 'problem']),
          code: v.string(),
          message: v.string(),
          fix: v.nullable(v.string()),
          fixable: v.boolean(),
          forwarder: v.optional(v.unknown()),
        }),
      ),
    }),
  ),
});

async function examined(product: Product, ...options: string[]) {
  const { code, stdout } = await product.run(['doctor', '--json', ...options]);
  const { ok, reports } = v.parse(diagnosis, JSON.parse(stdout));
  const findings = reports.flatMap((report) => report.findings);
  return { code, ok, findings, problems: findings.filter(({ level }) => level === 'problem') };
}

/** A machine on which everything is as it should be: one agent set up, and the daemon at work. */
async function healthy(packs: 'default' | 'none' = 'none'): Promise<Product> {
  const product = scratchProduct({ packs });
  mkdirSync(join(product.folder, '.claude'));
  expect(await product.run(['setup', 'claude', '--yes'])).toMatchObject({ code: 0 });
  await product.up();
  return product;
}

const settingsOf = ({ folder }: Product) => join(folder, '.claude', 'settings.json');

function edit(path: string, change: (text: string) => string): void {
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
}

async function listen(server: Server, path: string): Promise<void> {
  rmSync(path, { force: true });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  chmodSync(path, 0o600);
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
}

test('on a healthy machine reports no problem and leaves no trace', async () => {
  const product = await healthy('default');
  const { code, problems, findings } = await examined(product);
  expect(problems).toEqual([]);
  expect(code).toBe(0);
  expect(findings.map((one) => one.code)).toEqual(
    expect.arrayContaining([
      'home',
      'disk',
      'config',
      'daemon',
      'forwarder',
      'round-trip',
      'database',
      'set-up',
    ]),
  );
  const native = BEST_FORWARDER === 'native';
  const forwarder = {
    kind: BEST_FORWARDER,
    path: join(product.paths.bin, 'hookline-forward'),
    callMs: expect.any(Number),
    fix: native ? null : expect.stringContaining('`npm run build`'),
  };
  expect(findings.find(({ code: one }) => one === 'round-trip')?.forwarder).toEqual(forwarder);
  expect(JSON.parse((await product.run(['status', '--json'])).stdout).forwarder).toEqual(forwarder);
  expect((await product.run(['status'])).stdout).toMatch(
    /forwarder +(native|JavaScript), [\d.]+ m?s per call/,
  );
  expect(await product.events()).toEqual([]);
  expect((await product.run(['doctor'])).stdout).toContain('No problems found');
});

test('names a slow forwarder, its cost and the command that helps', async () => {
  const product = await healthy();
  const program = join(product.paths.bin, 'hookline-forward');
  const { node, script } = JSON.parse(readFileSync(join(product.paths.bin, 'forwarder.json'), 'utf8'));
  writeFileSync(program, `#!/bin/sh\nexec ${node} ${script} --home ${product.paths.root} "$@"\n`);
  const { findings } = await examined(product);
  expect(findings.find(({ code: one }) => one === 'round-trip')?.forwarder).toMatchObject({
    kind: 'node',
    callMs: expect.any(Number),
    fix: expect.stringContaining('hookline setup'),
  });
  const { stdout } = await product.run(['status']);
  expect(stdout).toMatch(/forwarder +JavaScript, [\d.]+ m?s per call/);
  expect(stdout).toMatch(/Calls are slow because .*setup/s);
});

test('without a daemon all rules still apply, and doctor starts none', async () => {
  const product = await healthy('default');
  await product.down();
  const { code, findings } = await examined(product);
  expect(code).toBe(0);
  expect(findings).toContainEqual(expect.objectContaining({ code: 'daemon-down', level: 'warning' }));
  expect(findings.find((one) => one.code === 'round-trip')?.message).toContain('by the fallback');
  expect(await product.daemonPid()).toBeNull();
  expect(JSON.parse((await product.run(['status', '--json'])).stdout).forwarder.callMs).toBeNull();
});

test('an unguarded agent is a problem if no agent is guarded, otherwise a warning', async () => {
  const product = scratchProduct();
  const bin = join(product.folder, 'bin');
  mkdirSync(bin);
  for (const name of ['claude', 'gemini'])
    writeFileSync(join(bin, name), '#!/bin/sh\necho 1.0.0\n', { mode: 0o755 });
  const env = { PATH: `${bin}:${product.env.PATH}` };
  const open = async () => {
    const { code, stdout } = await product.run(['doctor', '--json'], { env });
    const { reports } = v.parse(diagnosis, JSON.parse(stdout));
    const found = reports.flatMap(({ findings }) => findings).filter((one) => one.code === 'not-set-up');
    return { code, levels: found.map(({ level }) => level), messages: found.map(({ message }) => message) };
  };
  const before = await open();
  expect(before).toMatchObject({ code: 1, levels: ['problem', 'problem'] });
  expect(before.messages[0]).toContain('Claude Code is installed but not set up.');
  expect(await product.run(['setup', 'gemini', '--yes'])).toMatchObject({ code: 0 });
  expect(await open()).toMatchObject({ code: 0, levels: ['warning'] });
});

test('settings that the daemon reloads itself are not stale, and the others are', async () => {
  const product = await healthy();
  edit(product.paths.config, (text) => text.replace('recommended: off', 'recommended: on'));
  expect((await examined(product)).findings.map((one) => one.code)).not.toContain('config-stale');
  edit(product.paths.config, (text) => `${text}notify: {quiet: '22:00-07:00'}\n`);
  const { code, findings } = await examined(product);
  expect(findings.find((one) => one.code === 'config-stale')).toMatchObject({
    level: 'warning',
    message: expect.stringContaining('notify is not active yet'),
  });
  expect(code).toBe(0);
});

/** What can be wrong, how it comes about, and whether `--fix` puts it right. */
interface Fault {
  readonly code: string;
  readonly what: string;
  readonly fixed: boolean;
  inject(product: Product): void | Promise<void>;
}

const FAULTS: readonly Fault[] = [
  {
    code: 'home-open',
    what: 'others can write to the home',
    fixed: true,
    inject: ({ paths }) => chmodSync(paths.root, 0o777),
  },
  {
    code: 'disk',
    what: 'the spool cannot be written',
    fixed: false,
    inject({ paths }) {
      rmSync(paths.spool, { recursive: true });
      writeFileSync(paths.spool, '');
    },
  },
  {
    code: 'config-stale',
    what: 'config.yaml was emptied, and the daemon goes on with what it said',
    fixed: true,
    inject: ({ paths }) => writeFileSync(paths.config, ''),
  },
  {
    code: 'daemon-silent',
    what: 'the daemon is frozen',
    fixed: process.platform === 'linux',
    async inject(product) {
      const pid = await product.daemonPid();
      expect(pid).not.toBeNull();
      process.kill(Number(pid), 'SIGSTOP');
      onTestFinished(() => {
        try {
          process.kill(Number(pid), 'SIGCONT');
        } catch {
          // It was replaced.
        }
      });
    },
  },
  {
    code: 'daemon-foreign',
    what: 'something else listens where the daemon should',
    fixed: false,
    async inject(product) {
      await product.down();
      const server = createServer((socket) => void socket.end('SSH-2.0-other\r\n').resume());
      await listen(server, apiSocketPath(product.paths.root));
    },
  },
  {
    code: 'daemon-version',
    what: 'the daemon is of another version',
    fixed: false,
    async inject(product) {
      await product.down();
      const { root } = product.paths;
      const daemon = {
        pid: process.pid,
        version: '0.0.1',
        socket: socketPath(root),
        http: '',
        startedAt: '',
      };
      const server = createHttpServer((_, answer) =>
        answer.end(JSON.stringify({ daemon, events: 0, rules: 0, ruleProblems: [] })),
      );
      await listen(server, apiSocketPath(root));
    },
  },
  {
    code: 'round-trip-socket',
    what: 'where agents’ calls go is something that the daemon cannot replace',
    fixed: false,
    inject({ paths }) {
      // A socket that is only gone is there again before anyone looks.
      rmSync(socketPath(paths.root));
      mkdirSync(join(socketPath(paths.root), 'in the way'), { recursive: true });
    },
  },
  {
    code: 'database-damaged',
    what: 'the history is damaged',
    fixed: false,
    async inject(product) {
      await product.down();
      const { database } = product.paths;
      const bytes = readFileSync(database);
      bytes.fill(0xff, 4096);
      writeFileSync(database, bytes);
    },
  },
];

/** A fault of one file, which can be put back as it was. */
interface FileFault extends Fault {
  file(product: Product): string;
}

const FILE_FAULTS: readonly FileFault[] = [
  {
    code: 'config-invalid',
    what: 'config.yaml cannot be read',
    fixed: false,
    file: ({ paths }) => paths.config,
    inject: ({ paths }) => writeFileSync(paths.config, 'failur: closed\n'),
  },
  {
    code: 'forwarder-broken',
    what: 'the forwarder does not run',
    fixed: true,
    file: ({ paths }) => join(paths.bin, 'hookline-forward'),
    inject: ({ paths }) => writeFileSync(join(paths.bin, 'hookline-forward'), '#!/bin/sh\nexit 1\n'),
  },
  {
    code: 'forwarder-stale',
    what: 'the forwarder is of another version',
    fixed: true,
    file: ({ paths }) => join(paths.bin, 'hookline-forward'),
    inject: ({ paths }) =>
      writeFileSync(join(paths.bin, 'hookline-forward'), '#!/bin/sh\necho hookline-forward 0.0.1\n'),
  },
  {
    code: 'forwarder-settings',
    what: 'the forwarder has no fallback',
    fixed: true,
    file: ({ paths }) => join(paths.bin, 'forwarder.json'),
    inject: ({ paths }) => writeFileSync(join(paths.bin, 'forwarder.json'), '{'),
  },
  {
    code: 'spool-stuck',
    what: 'a call cannot be taken into the history',
    fixed: false,
    file: ({ paths }) => join(paths.spool, '1-call.json'),
    inject({ paths }) {
      // A folder can't be read as a file, with any rights.
      const path = join(paths.spool, '1-call.json');
      mkdirSync(path);
      utimesSync(path, 1, 1);
    },
  },
  {
    code: 'rule-invalid',
    what: 'a rule file does not parse',
    fixed: false,
    file: ({ paths }) => join(paths.rules, 'mine.yaml'),
    inject: ({ paths }) =>
      writeFileSync(join(paths.rules, 'mine.yaml'), 'rules:\n  - {comand: ls, deny: no}\n'),
  },
  {
    code: 'rule-last-good',
    what: 'a rule file was good once, and its last good version still applies',
    fixed: false,
    file: ({ paths }) => join(paths.rules, 'rules.yaml'),
    async inject(product) {
      product.rules('rules:\n  - {command: touch, deny: Do not touch.}\n');
      await product.read(['rules', 'list']);
      product.rules('rules:\n  - {command: touch, deny: \n');
    },
  },
  {
    code: 'hook-invalid',
    what: 'a hook file does not compile',
    fixed: false,
    file: ({ paths }) => join(paths.hooks, 'guard.mjs'),
    inject({ paths }) {
      mkdirSync(paths.hooks, { recursive: true });
      writeFileSync(join(paths.hooks, 'guard.mjs'), 'export default {{{');
    },
  },
  {
    code: 'grants-unreadable',
    what: 'the file of grants does not parse',
    fixed: false,
    file: ({ paths }) => paths.grants,
    inject: ({ paths }) => writeFileSync(paths.grants, '[{'),
  },
  {
    code: 'missing-events',
    what: 'an entry that guards was removed from an agent’s settings',
    fixed: true,
    file: settingsOf,
    inject: (product) => edit(settingsOf(product), (text) => text.replace('"PreToolUse"', '"NoSuchEvent"')),
  },
  {
    code: 'changed-entries',
    what: 'an entry that guards was changed',
    fixed: true,
    file: settingsOf,
    inject: (product) => edit(settingsOf(product), (text) => text.replace('86400', '1')),
  },
  {
    code: 'hooks-disabled',
    what: 'the agent runs no hooks',
    fixed: false,
    file: settingsOf,
    inject: (product) => edit(settingsOf(product), (text) => text.replace('{', '{"disableAllHooks": true,')),
  },
];

async function expectNamed(product: Product, { code, fixed }: Fault): Promise<void> {
  const before = await examined(product);
  expect(before.problems.map((one) => one.code)).toContain(code);
  expect(before).toMatchObject({ code: 1, ok: false });
  expect(before.problems.find((one) => one.code === code)?.fix).toBeTruthy();
  if (!fixed) return;
  expect(before.problems.some(({ fixable }) => fixable)).toBe(true);
  expect(await examined(product, '--fix')).toMatchObject({ code: 0, problems: [] });
}

describe('names a problem and its fix, and exits with 1', () => {
  test.each(FAULTS)('$code: $what', async (fault) => {
    const product = await healthy();
    await fault.inject(product);
    await expectNamed(product, fault);
  });

  // On one machine, one after the other: each is gone before the next.
  test('in each of the files', async () => {
    const product = await healthy();
    for (const fault of FILE_FAULTS) {
      const path = fault.file(product);
      const before = existsSync(path) ? readFileSync(path) : null;
      await fault.inject(product);
      await expectNamed(product, fault);
      rmSync(path, { recursive: true });
      if (before) writeFileSync(path, before, { mode: 0o755 });
    }
    expect((await examined(product)).problems).toEqual([]);
  }, 300_000);
});

test('names safe fixes and leaves the rest alone', async () => {
  const product = await healthy();
  chmodSync(product.paths.root, 0o777);
  writeFileSync(product.paths.grants, '[{');
  const { code, stdout } = await product.run(['doctor', '--fix']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^fixed {2}Removed write access/m);
  expect(stdout).toContain('✗');
  expect(statSync(product.paths.root).mode & 0o777).toBe(0o755);
  expect(readFileSync(product.paths.grants, 'utf8')).toBe('[{');
});

test('imports calls that no daemon recorded into the history', async () => {
  const product = await healthy();
  await product.down();
  const payload = JSON.stringify({ session_id: 's', hook_event_name: 'SessionStart', source: 'startup' });
  await product.hook('node', 'SessionStart', payload, { HOOKLINE_NO_AUTOSTART: '1' });
  const { findings, code } = await examined(product);
  expect(code).toBe(0);
  expect(findings).toContainEqual(
    expect.objectContaining({ code: 'spool', level: 'warning', fixable: true }),
  );
  expect((await examined(product, '--fix')).findings.map((one) => one.level)).not.toContain('warning');
  expect(await product.events()).toHaveLength(1);
});

test('limits of an agent are neutral, and two scopes are reported', async () => {
  const product = await healthy();
  const project = join(product.folder, 'project');
  mkdirSync(project);
  await product.run(['setup', 'claude', '--scope', 'project', '--yes'], { cwd: project });
  expect(existsSync(join(project, '.claude', 'settings.json'))).toBe(true);
  const { stdout, code } = await product.run(['doctor'], { cwd: project });
  expect(code).toBe(0);
  expect(stdout).toContain('· Codex is not on PATH.');
  const elsewhere = await product.run(['doctor', '--json'], { cwd: project });
  expect(elsewhere.stdout).toContain('"two-scopes"');
});

import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeSeen } from '../../../src/agents/kit/shim/seen.ts';
import type { ShimHost } from '../../../src/agents/kit/shim/setup.ts';
import { shimSetup } from '../../../src/agents/kit/shim/setup.ts';
import type { SetupContext } from '../../../src/agents/setup/setup.ts';
import { ScratchMachine } from './setup.ts';

/** A machine with a home of Hookline in it, and a forwarder there. */
export function shimMachine(): { readonly machine: ScratchMachine; readonly context: SetupContext } {
  const machine = new ScratchMachine();
  const forwarder = join(dirname(machine.journal), 'bin', 'hookline-forward');
  mkdirSync(dirname(forwarder), { recursive: true });
  writeFileSync(forwarder, '');
  return { machine, context: machine.context({ forwarder }) };
}

/** A machine on which it is set up, and what is found there. */
function scenes(host: ShimHost) {
  const setup = shimSetup(host);
  const start = () => {
    const scene = shimMachine();
    return { ...scene, path: host.path(scene.context), home: dirname(dirname(scene.context.forwarder)) };
  };
  const codes = (context: SetupContext) => setup.inspect(context).map(({ code }) => code);
  return { setup, start, codes };
}

/** What the setup of every client must keep to that loads a file of ours. Needs the build. */
export function testShimSetup(host: ShimHost): void {
  describe('setup', () => {
    testChanges(host);
    testOthers(host);
    testFile(host);
    testSeen(host);
  });
}

/** How a client installs the package, for tests. */
interface PackageCases {
  /** Where the client puts it. */
  folder(context: SetupContext): string;
  /** Settings that name it, by file. */
  settings(context: SetupContext): readonly [path: string, text: string];
  /** The same in a project's settings, which name its folder. */
  project(context: SetupContext, folder: string): readonly [path: string, text: string];
  /** Settings with which the client loads nothing of it. */
  readonly without: readonly string[];
}

/** Setup beside this package, which the client has installed by itself. */
export function testShimPackage(host: ShimHost, cases: PackageCases): void {
  describe('setup next to the package', () => {
    testPackageAlone(host, cases);
    testPackageAndFile(host, cases);
  });
}

/** A machine on which the client can install the package. */
function packageScenes(host: ShimHost, cases: PackageCases) {
  const { setup, start, codes } = scenes(host);
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const put = ({ machine, context }: ReturnType<typeof start>, version: string = manifest.version) => {
    const folder = cases.folder(context);
    const entry = join(folder, String(host.package?.entry(manifest)));
    machine.write(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }));
    machine.write(entry, '');
    machine.write(...cases.settings(context));
    return entry;
  };
  return { setup, start, codes, put };
}

function testPackageAlone(host: ShimHost, cases: PackageCases): void {
  const { setup, start, codes, put } = packageScenes(host, cases);

  test('writes nothing, and leaves it to the client', () => {
    const scene = start();
    const entry = put(scene);
    expect(setup.wrapper?.hooksPath(scene.context)).toBe(entry);
    expect(setup.plan(scene.context)).toEqual([]);
    expect(setup.planRemoval(scene.context)).toEqual([]);
    expect(codes(scene.context)).toContain('not-seen');
    const at = Date.now() + 60_000;
    writeSeen(scene.home, host.id, { version: '1', client: null, pid: 1, at, changed: 0, tool: null });
    const findings = setup.inspect(scene.context);
    expect(findings).toContainEqual(expect.objectContaining({ code: 'set-up' }));
    expect(findings.filter(({ level }) => level === 'problem' || level === 'warning')).toEqual([]);
  });

  test('guards nothing without a forwarder, and detects another version', () => {
    const scene = start();
    put(scene, '0.0.1');
    expect(codes(scene.context)).toContain('stale-version');
    const findings = setup.inspect({ ...scene.context, forwarder: '/nowhere/bin/hookline-forward' });
    expect(findings).toContainEqual(expect.objectContaining({ level: 'problem', code: 'wrapper-alone' }));
  });
}

function testPackageAndFile(host: ShimHost, cases: PackageCases): void {
  const { setup, start, codes, put } = packageScenes(host, cases);

  test('detects an additional file of ours, also in the project', () => {
    const scene = start();
    scene.machine.install(setup, scene.context);
    expect(codes(scene.context)).not.toContain('set-up-twice');
    put(scene);
    expect(codes(scene.context)).toContain('set-up-twice');
    scene.machine.remove(setup, scene.context);
    expect(codes(scene.context)).not.toContain('set-up-twice');
    scene.machine.write(...cases.project(scene.context, cases.folder(scene.context)));
    expect(codes(scene.context)).toContain('set-up-twice');
  });

  test.each(cases.without)('is not loaded by the client with %s in the settings', (text) => {
    const scene = start();
    put(scene);
    scene.machine.write(cases.settings(scene.context)[0], text);
    expect(setup.wrapper?.hooksPath(scene.context)).toBe(null);
    expect(setup.plan(scene.context)).not.toEqual([]);
  });

  test('writes the file if the client could not install it', () => {
    const scene = start();
    rmSync(put(scene));
    expect(setup.plan(scene.context)).not.toEqual([]);
  });
}

function testChanges(host: ShimHost): void {
  const { setup, start, codes } = scenes(host);

  test('a plan writes nothing, applies once, and remove restores every byte', () => {
    const { machine, context, path } = start();
    const before = machine.contents();
    expect(setup.plan(context)).not.toEqual([]);
    expect(setup.planRemoval(context)).toEqual([]);
    expect(codes(context)).toContain('not-set-up');
    expect(machine.contents()).toEqual(before);
    machine.install(setup, context);
    expect(setup.plan(context)).toEqual([]);
    expect(readFileSync(path, 'utf8')).toContain(JSON.stringify(context.forwarder));
    machine.remove(setup, context);
    expect(machine.contents()).toEqual(before);
  });

  test('detects and follows a moved forwarder', () => {
    const { machine, context, path } = start();
    const before = machine.contents();
    machine.install(setup, { ...context, forwarder: "/it's moved/bin/hookline-forward" });
    expect(codes(context)).toContain('stale-path');
    machine.install(setup, context);
    expect(codes(context)).not.toContain('stale-path');
    expect(readFileSync(path, 'utf8')).not.toContain("it's moved");
    machine.remove(setup, context);
    expect(machine.contents()).toEqual(before);
  });
}

function testOthers(host: ShimHost): void {
  const { setup, start, codes } = scenes(host);

  test('without the journal, leaves nothing of ours and keeps what others have', () => {
    const { machine, context, path } = start();
    const other = join(dirname(path), 'theirs.ts');
    machine.write(other, 'theirs');
    const before = machine.contents();
    machine.install(setup, context);
    machine.loseJournal();
    machine.remove(setup, context);
    const after = machine.contents();
    for (const file of Object.keys(before)) expect(after[file]).toBe(before[file]);
    expect(existsSync(path)).toBe(false);
  });

  test('rejects a choice of events instead of silently ignoring it', () => {
    const { context } = start();
    expect(() => setup.plan({ ...context, events: ['-tool'] })).toThrow('cannot be chosen');
  });

  test('neither replaces nor removes another program’s file', () => {
    const { machine, context, path } = start();
    machine.write(path, '// Hookline is not mine\n');
    expect(() => setup.plan(context)).toThrow(expect.objectContaining({ code: 'SETTINGS_UNREADABLE' }));
    expect(setup.planRemoval(context)).toEqual([]);
    expect(codes(context)).toContain('not-set-up');
  });
}

function testFile(host: ShimHost): void {
  const { setup, start, codes } = scenes(host);

  test('detects a changed file and one of another version', () => {
    const { machine, context, path } = start();
    machine.install(setup, context);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, `${text}\nexport const more = 1;\n`);
    expect(codes(context)).toContain('changed-entries');
    writeFileSync(path, text.replace(/^\/\/ Hookline \S+/, '// Hookline 0.0.1'));
    expect(codes(context)).toContain('stale-version');
    expect(setup.plan(context)).toHaveLength(1);
    // Whether failures refuse is no difference: the user's choice since then is stored elsewhere.
    machine.install(setup, { ...context, failClosed: true });
    expect(codes(context)).not.toContain('changed-entries');
  });

  test('detects a second copy that the client loads', () => {
    const { machine, context, path } = start();
    machine.install(setup, context);
    for (const other of host.elsewhere(context)) {
      machine.write(other, readFileSync(path, 'utf8'));
      expect(codes(context)).toContain('set-up-twice');
      rmSync(other);
    }
  });
}

function testSeen(host: ShimHost): void {
  const { setup, start, codes } = scenes(host);

  test('detects a client that has not loaded it, and one that runs other arguments than evaluated', () => {
    const { machine, context, path, home } = start();
    machine.install(setup, context);
    expect(codes(context)).toContain('not-seen');
    const loaded = {
      version: '1',
      client: '9.9.9',
      pid: 1,
      at: Date.now() + 60_000,
      changed: 0,
      tool: null,
    };
    writeSeen(home, host.id, loaded);
    expect(codes(context)).toEqual(expect.arrayContaining(['set-up', 'seen']));
    writeSeen(home, host.id, { ...loaded, changed: 2, tool: 'bash' });
    expect(codes(context)).toContain('changed-arguments');
    const later = new Date(loaded.at + 60_000);
    utimesSync(path, later, later);
    expect(codes(context)).toContain('not-seen');
    rmSync(join(home, 'run'), { recursive: true });
  });
}

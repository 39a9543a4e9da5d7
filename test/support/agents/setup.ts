import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyEdits, applyRemoval, removal } from '../../../src/agents/setup/journal.ts';
import { SettingsDocument } from '../../../src/agents/setup/settings-json.ts';
import type { AgentSetup, Scope, SetupContext } from '../../../src/agents/setup/setup.ts';
import { scratchFolder } from '../scratch.ts';

interface SetupCases {
  /** The file that setup edits. */
  readonly settingsPath: (context: SetupContext) => string;
  readonly scopes?: readonly Scope[];
  /** Settings as users have them, with and without hooks of others, by what is special about them. */
  readonly samples: Readonly<Record<string, string>>;
  /** Settings that must be refused and left alone. */
  readonly broken: Readonly<Record<string, string>>;
  /** What a user might do to a file that has our entries: something that has nothing to do with them. */
  readonly userEdit: (text: string) => string;
  /** The meaning of a settings text, so that two can be compared whatever their layout. */
  readonly parse: (text: string) => unknown;
}

interface JsonSettings {
  readonly comments?: boolean;
  /** Where the events are in the file. */
  readonly root?: readonly [] | readonly ['hooks'];
  /** Handlers stand in the list of their event, without groups, and the file has a version. */
  readonly flat?: boolean;
}

/** Cases for settings that are JSON, with hooks in groups under events; `event` is one of the client's. */
export function jsonSettingsCases(
  event: string,
  { comments = false, root = ['hooks'], flat = false }: JsonSettings = {},
): Omit<SetupCases, 'settingsPath' | 'scopes'> {
  const placed = (hooks: unknown) => (root.length === 0 ? Object(hooks) : { hooks });
  const document = (text: string) => new SettingsDocument(text, { path: 'test', comments });
  const handler = { type: 'command', command: 'npx prettier --check .' };
  const foreign = { [event]: [flat ? handler : { hooks: [handler] }] };
  const busy = (indent: string | number) =>
    JSON.stringify({ theme: 'dark', ...placed(foreign) }, null, indent);
  return {
    samples: {
      'empty file': '',
      'empty object': '{}',
      'other settings only': '{\n  "ui": {}\n}\n',
      'hooks of others': `${busy(2)}\n`,
      tabs: busy('\t'),
      CRLF: `${busy(2)}\n`.replaceAll('\n', '\r\n'),
      minified: busy(0),
    },
    broken: {
      'text that ends early': '{"hooks": {',
      'an event that is not a list': JSON.stringify(placed({ [event]: {} })),
      ...(root.length === 0
        ? { 'an event twice': `{"${event}": [], "${event}": []}` }
        : { 'a list of hooks': '{"hooks": []}', 'hooks twice': '{"hooks": {}, "hooks": {}}' }),
    },
    userEdit(text) {
      const settings = document(text);
      settings.set(['mine'], 'yes');
      return settings.toString();
    },
    parse: (text) => {
      const { version, ...rest } = Object(document(text).get([]));
      // Without a version the client would not read the file: who wrote it is not known afterwards.
      return flat ? rest : { ...rest, ...(version === undefined ? {} : { version }) };
    },
  };
}

/** A machine of its own for one test: a home, a project in it, and a place for the journal. */
export class ScratchMachine {
  readonly #root = scratchFolder();
  readonly home: string = join(this.#root, 'home');
  readonly journal: string = join(this.#root, 'hookline', 'setup');

  constructor() {
    mkdirSync(join(this.home, 'project'), { recursive: true });
  }

  context(changes: Partial<SetupContext> = {}): SetupContext {
    return {
      env: {},
      home: this.home,
      cwd: join(this.home, 'project'),
      scope: 'user',
      forwarder: '/opt/hookline/hookline-forward',
      failClosed: false,
      ...changes,
    };
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** What a file says; empty where there is none. */
  json(path: string): object {
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  }

  /** Every file and folder of the home, with the bytes of the files. */
  contents(): Record<string, string> {
    const entries = readdirSync(this.home, { withFileTypes: true, recursive: true });
    return Object.fromEntries(
      entries.map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path, entry.isFile() ? readFileSync(path, 'latin1') : 'folder'];
      }),
    );
  }

  install(setup: AgentSetup, context: SetupContext): void {
    applyEdits(setup.plan(context), this.journal);
  }

  remove(setup: AgentSetup, context: SetupContext): void {
    applyRemoval(removal(setup.planRemoval(context), this.journal), this.journal);
  }

  loseJournal(): void {
    rmSync(this.journal, { recursive: true, force: true });
  }
}

/** A machine with a settings file, and the same after the forwarder has moved. */
interface Scene {
  readonly machine: ScratchMachine;
  readonly context: SetupContext;
  readonly moved: SetupContext;
  readonly path: string;
}

/** What every agent's setup must keep to: run it again, move it, undo it, and leave other hooks alone. */
export function testSetup(setup: AgentSetup, cases: SetupCases): void {
  for (const scope of cases.scopes ?? ['user', 'project']) {
    const start = (text: string | null): Scene => {
      const machine = new ScratchMachine();
      const context = machine.context({ scope });
      const path = cases.settingsPath(context);
      if (text !== null) machine.write(path, text);
      return { machine, context, path, moved: { ...context, forwarder: "/it's moved/hookline-forward" } };
    };
    describe(`setup in ${scope} scope`, () => {
      testPlans(setup, cases, start);
      testUserChanges(setup, cases, start);
    });
  }
}

function testPlans(setup: AgentSetup, cases: SetupCases, start: (text: string | null) => Scene): void {
  const samples: [string, string | null][] = [['no file', null], ...Object.entries(cases.samples)];

  test.each(samples)('%s: a plan writes nothing, and leaves nothing to do once applied', (_, text) => {
    const { machine, context } = start(text);
    const before = machine.contents();
    expect(setup.plan(context)).not.toEqual([]);
    expect(setup.planRemoval(context)).toEqual([]);
    expect(machine.contents()).toEqual(before);
    machine.install(setup, context);
    expect(machine.contents()).not.toEqual(before);
    expect(setup.plan(context)).toEqual([]);
  });

  test.each(samples)('%s: remove restores every byte', (_, text) => {
    const { machine, context } = start(text);
    const before = machine.contents();
    machine.install(setup, context);
    machine.remove(setup, context);
    expect(machine.contents()).toEqual(before);
    expect(readdirSync(machine.journal)).toEqual([]);
    expect(setup.planRemoval(context)).toEqual([]);
  });

  test.each(samples)('%s: follows a moved forwarder, and still restores every byte', (_, text) => {
    const { machine, context, path, moved } = start(text);
    const before = machine.contents();
    machine.install(setup, context);
    machine.install(setup, moved);
    expect(setup.plan(moved)).toEqual([]);
    expect(readFileSync(path, 'utf8')).not.toContain(context.forwarder);
    machine.remove(setup, moved);
    expect(machine.contents()).toEqual(before);
  });

  test.each(Object.entries(cases.broken))('%s: is rejected and left alone', (_, text) => {
    const { machine, context } = start(text);
    const before = machine.contents();
    expect(() => setup.plan(context)).toThrow(expect.objectContaining({ code: 'SETTINGS_UNREADABLE' }));
    expect(machine.contents()).toEqual(before);
    expect(() => setup.inspect(context)).not.toThrow();
  });
}

function testUserChanges(setup: AgentSetup, cases: SetupCases, start: (text: string | null) => Scene): void {
  const samples: [string, string | null][] = [['no file', null], ...Object.entries(cases.samples)];

  test.each(Object.entries(cases.samples))('%s: leaves nothing of ours without the journal', (_, text) => {
    const { machine, context, path, moved } = start(text);
    machine.install(setup, context);
    machine.loseJournal();
    // A second setup must not take the first one's entries for the user's.
    machine.install(setup, moved);
    machine.remove(setup, moved);
    const left = readFileSync(path, 'utf8');
    expect(left).not.toContain('hookline-forward');
    expect(cases.parse(left)).toEqual(cases.parse(text));
  });

  test.each(samples)('%s: keeps changes that the user made in between', (_, text) => {
    const { machine, context, path } = start(text);
    machine.install(setup, context);
    writeFileSync(path, cases.userEdit(readFileSync(path, 'utf8')));
    machine.remove(setup, context);
    const left = readFileSync(path, 'utf8');
    expect(left).not.toContain('hookline-forward');
    expect(cases.parse(left)).toEqual(cases.parse(cases.userEdit(text ?? '{}')));
  });
}

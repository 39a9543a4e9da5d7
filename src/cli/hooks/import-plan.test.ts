import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Scratch, scratchFiles } from '../../../test/support/hooks.ts';
import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { applyEdits, applyRemoval, removal } from '../../agents/setup/journal.ts';
import type { SetupContext } from '../../agents/setup/setup.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import { parseHooks } from '../../hooks/config-file.ts';
import { applyImport, applyUndo, findHooks, planImport, planUndo } from './import-plan.ts';

let scratch: Scratch;
let paths: HomePaths;
let context: SetupContext;

beforeEach(() => {
  scratch = scratchFiles();
  paths = homePaths(`${scratch.path}/hookline`);
  mkdirSync(paths.root, { recursive: true });
  context = {
    env: {},
    home: `${scratch.path}/home`,
    cwd: `${scratch.path}/project`,
    scope: 'user',
    forwarder: '/opt/hookline-forward',
    failClosed: false,
  };
});

const agentOf = (id: string): Agent => {
  const agent = AGENTS.get(id);
  if (!agent) throw new Error(`no agent ${id}`);
  return agent;
};
const read = (path: string) => readFileSync(path, 'utf8');

function setUp(agent: Agent): void {
  applyEdits(agent.setup.plan(context), paths.setup);
}

function importAll(agents: readonly Agent[]): readonly string[] {
  const found = findHooks(agents, context, paths).filter(({ hook }) => hook.entry !== null);
  applyImport(found, planImport(found, context), paths);
  return found.map(({ name }) => name);
}

const entries = () => parseHooks(read(paths.hooksFile), paths.hooksFile);

/** Odd on purpose: it must be restored byte for byte. */
const CLAUDE =
  '{\n   "model":"opus",\n\t"hooks": {"PreToolUse":[ {"matcher":"Bash", "hooks":[{"type":"command","command":"~/guard.sh","timeout":5},{"type":"prompt","prompt":"ok?"}]} ],\n "Stop":[{"hooks":[{"type":"command","command":"~/guard.sh","async":true}]}]}}';

describe('what there is to move', () => {
  const settings = (handler: object) =>
    scratch.write(
      'home/.claude/settings.json',
      JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [handler] }] } }),
    );
  const found = () => findHooks([agentOf('claude')], context, paths).map(({ hook }) => hook);

  test('a prompt hook gets the first provider, and stays while there is none', () => {
    settings({ type: 'prompt', prompt: 'Is it safe?', timeout: 20 });
    expect(found()).toMatchObject([{ entry: null, why: expect.stringContaining('providers:') }]);
    scratch.write('hookline/hooks.yaml', 'providers:\n  small: { type: openai, model: tiny }\n');
    expect(found()).toMatchObject([
      {
        entry: {
          type: 'prompt',
          dialect: 'claude',
          event: 'PreToolUse',
          matcher: 'Bash',
          provider: 'small',
          timeout: '20s',
          prompt: 'Is it safe?\n\n$ARGUMENTS\n\nAnswer {"ok": true or false, "reason": "…"}.',
        },
      },
    ]);
    setUp(agentOf('claude'));
    expect(importAll([agentOf('claude')])).toEqual(['prompt']);
    expect(entries()).toMatchObject({
      problems: [],
      entries: [{ entry: { type: 'prompt', provider: 'small' } }],
    });
  });

  test('a timeout in milliseconds where seconds count comes with a warning', () => {
    settings({ type: 'command', command: './slow.sh', timeout: 30_000 });
    expect(found()).toMatchObject([
      { warning: 'its timeout is in seconds, and 30000 are 8.3 hours: write 30 if milliseconds were meant' },
    ]);
    settings({ type: 'command', command: './slow.sh', timeout: 30 });
    expect(found()).toMatchObject([{ warning: null }]);
  });
});

describe('moving hooks behind Hookline', () => {
  test('those of settings: in order, with their own names, and back byte for byte', () => {
    const file = scratch.write('home/.claude/settings.json', CLAUDE);
    setUp(agentOf('claude'));
    const before = read(file);
    expect(importAll([agentOf('claude')])).toEqual(['guard', 'guard-2']);
    expect(entries().problems).toEqual([]);
    expect(entries().entries.map(({ entry }) => entry)).toMatchObject([
      {
        name: 'guard',
        type: 'command',
        dialect: 'claude',
        event: 'PreToolUse',
        matcher: 'Bash',
        command: '~/guard.sh',
        timeout: '5s',
      },
      { name: 'guard-2', event: 'Stop', background: true },
    ]);
    expect(read(file)).not.toContain('guard.sh');
    expect(read(file)).toContain('"prompt":"ok?"');

    applyUndo(planUndo([agentOf('claude')], context, paths), paths);
    expect(read(file)).toBe(before);
    expect(entries().entries).toEqual([]);
    applyRemoval(removal(agentOf('claude').setup.planRemoval(context), paths.setup), paths.setup);
    expect(read(file)).toBe(CLAUDE);
  });

  test('restores the hooks in a file that was changed since', () => {
    const file = scratch.write('home/.claude/settings.json', CLAUDE);
    setUp(agentOf('claude'));
    importAll([agentOf('claude')]);
    writeFileSync(file, read(file).replace('"opus"', '"sonnet"'));
    applyUndo(planUndo([agentOf('claude')], context, paths), paths);
    const { model, hooks } = JSON.parse(read(file));
    expect(model).toBe('sonnet');
    expect(JSON.stringify(hooks.PreToolUse)).toContain(
      '{"matcher":"Bash","hooks":[{"type":"command","command":"~/guard.sh","timeout":5}]}',
    );
    expect(JSON.stringify(hooks.Stop)).toContain('"async":true');
    expect(planUndo([agentOf('claude')], context, paths)).toEqual({ edits: [], names: [] });
  });

  test('those of plugins and extensions, with what they need to run', () => {
    const root = `${scratch.path}/home/.claude/plugins/cache/tool`;
    const hooks = (command: string, event: string) =>
      JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } });
    scratch.write(
      'home/.claude/plugins/installed_plugins.json',
      JSON.stringify({ version: 2, plugins: { 'tool@shop': [{ installPath: root }] } }),
    );
    scratch.write(
      'home/.claude/plugins/cache/tool/hooks/hooks.json',
      hooks('"$CLAUDE_PLUGIN_ROOT"/run.sh', 'PreToolUse'),
    );
    scratch.write(
      'home/.gemini/extensions/lens/hooks/hooks.json',
      hooks(['node ', '{extensionPath}', '{/}look.js'].join('$'), 'BeforeTool'),
    );
    setUp(agentOf('claude'));
    expect(importAll([agentOf('claude'), agentOf('gemini')])).toEqual(['run', 'look']);
    expect(entries().entries.map(({ entry }) => entry)).toMatchObject([
      { dialect: 'claude', env: { CLAUDE_PLUGIN_ROOT: root } },
      { dialect: 'gemini', command: `node ${scratch.path}/home/.gemini/extensions/lens/look.js` },
    ]);
  });

  test('a hook of a project holds for that project only', () => {
    scratch.write('project/.claude/settings.json', CLAUDE);
    setUp(agentOf('claude'));
    importAll([agentOf('claude')]);
    expect(entries().entries.map(({ entry }) => entry.project)).toEqual([context.cwd, context.cwd]);
  });

  test('the trust that Codex has in the hooks behind one that goes is moved with them', () => {
    const handler = (command: string) => ({ hooks: [{ type: 'command', command }] });
    const file = scratch.write(
      'home/.codex/hooks.json',
      JSON.stringify({ hooks: { PreToolUse: [handler('first.sh'), handler('second.sh')] } }),
    );
    const key = (n: number) => `[hooks.state."${file}:pre_tool_use:${n}:0"]\ntrusted_hash = "sha256:${n}"\n`;
    const config = scratch.write('home/.codex/config.toml', `# Mine.\n${key(0)}\n${key(1)}`);
    const codex = agentOf('codex');
    setUp(codex);
    const before = [read(file), read(config)];
    const [first] = findHooks([codex], context, paths);
    if (!first) throw new Error('nothing found');
    applyImport([first], planImport([first], context), paths);
    expect(read(config)).toContain(`pre_tool_use:0:0"]\ntrusted_hash = "sha256:1"`);
    expect(read(config)).not.toContain('sha256:0"');
    expect(JSON.parse(read(file)).hooks.PreToolUse).toHaveLength(2);

    applyUndo(planUndo([codex], context, paths), paths);
    expect([read(file), read(config)]).toEqual(before);
  });

  test('what has to stay says why, and a hooks.yaml that cannot be read stops the move', () => {
    const file = scratch.write('home/.claude/settings.json', CLAUDE);
    const found = findHooks([agentOf('claude')], context, paths);
    expect(found.map(({ hook }) => hook.why)).toEqual([
      null,
      'it calls a model: add a provider under providers: in hooks.yaml first',
      null,
    ]);
    mkdirSync(dirname(paths.hooksFile), { recursive: true });
    writeFileSync(paths.hooksFile, 'hooks: [');
    const movable = found.filter(({ hook }) => hook.entry !== null);
    expect(() => applyImport(movable, planImport(movable, context), paths)).toThrow('hooks.yaml');
    expect(read(file)).toBe(CLAUDE);
  });

  test('comments and entries of hooks.yaml stay', () => {
    scratch.write(
      'hookline/hooks.yaml',
      '# Mine.\nhooks:\n  - name: old # keep\n    type: command\n    dialect: claude\n    command: x\n',
    );
    scratch.write('home/.claude/settings.json', CLAUDE);
    importAll([agentOf('claude')]);
    expect(read(paths.hooksFile)).toMatch(/^# Mine\.\nhooks:\n {2}- name: old # keep\n/);
    expect(entries().entries.map(({ name }) => name)).toEqual(['old', 'guard', 'guard-2']);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openScriptKeys } from '../../src/access/script-keys.ts';
import { AGENTS } from '../../src/agents/_registry.ts';
import type { Agent } from '../../src/agents/agent.ts';
import { applyEdits, applyRemoval, removal } from '../../src/agents/setup/journal.ts';
import type { SetupContext } from '../../src/agents/setup/setup.ts';
import { hookedContexts } from '../../src/cli/agents/hooked.ts';
import { parseConfig } from '../../src/home/config.ts';
import { openHomeRules } from '../../src/home/engine.ts';
import { homePaths } from '../../src/home/paths.ts';
import { openGuardHooks } from '../../src/hooks/guards.ts';
import { forwarderPath } from '../../src/wire/forwarder-settings.ts';
import { packsOff } from './open-engine.ts';
import { isUnsigned, placeHome, WRITTEN_BY } from './place-home.ts';
import { SCRIPT_KEY } from './scenario.js';

const SETTINGS = {
  claude: ['.claude/settings.json'],
  gemini: ['.gemini/settings.json'],
  codex: ['.codex/config.toml', '.codex/hooks.json'],
} as const;

function agentNamed(id: string): Agent {
  const agent = AGENTS.get(id);
  if (!agent) throw new Error(`There is no agent ${id}.`);
  return agent;
}

const onPosix = describe.skipIf(process.platform === 'win32');

onPosix.each(WRITTEN_BY)('agents that were set up by %s', (version) => {
  /** The home on this machine, and each agent in it. */
  function setUp() {
    const home = placeHome(version);
    const journal = homePaths(home.root).setup;
    const context: SetupContext = {
      env: {},
      home: home.user,
      cwd: home.shop,
      scope: 'user',
      forwarder: forwarderPath(home.root),
      failClosed: false,
    };
    return Object.entries(SETTINGS).map(([id, files]) => {
      const { setup } = agentNamed(id);
      const remove = () => applyRemoval(removal(setup.planRemoval(context), journal), journal);
      const settings = () => files.map(home.read);
      return { id, setup, context, journal, remove, settings, before: files.map(home.before) };
    });
  }

  test('are known to be set up', () => {
    for (const { id, setup, context } of setUp()) {
      const scopes = hookedContexts({ setup }, (scope) => ({ ...context, scope })).map(({ scope }) => scope);
      expect([id, scopes]).toEqual([id, ['user']]);
      const codes = setup.inspect(context).map(({ code }) => code);
      expect([id, codes]).toEqual([
        id,
        expect.arrayContaining(id === 'codex' ? ['set-up', 'trusted'] : ['set-up']),
      ]);
    }
  });

  test('get back their settings, byte for byte', () => {
    for (const { remove, settings, before } of setUp()) {
      expect(settings()).not.toEqual(before);
      remove();
      expect(settings()).toEqual(before);
    }
  });

  test('get them back after a setup with this version', () => {
    for (const { setup, context, journal, remove, settings, before } of setUp()) {
      const old = settings();
      // What failures mean was changed, so that there is something to write.
      applyEdits(setup.plan({ ...context, failClosed: true }), journal);
      expect(settings()).not.toEqual(old);
      remove();
      expect(settings()).toEqual(before);
    }
  });
});

onPosix.each(WRITTEN_BY.filter((version) => !isUnsigned(version)))('a home of %s', (version) => {
  test('knows its script key', () => {
    const keys = openScriptKeys(homePaths(placeHome(version).root).scriptKeys);
    expect(keys.nameOf(SCRIPT_KEY)).toBe('nightly');
    expect(keys.nameOf(`${SCRIPT_KEY}!`)).toBeNull();
  });

  test('knows which of its hooks are guards', () => {
    const guards = openGuardHooks(homePaths(placeHome(version).root).guardHooks);
    const names = ['no-destroy', 'no-telnet', 'no-price-change'];
    expect(names.filter((name) => guards.has(name))).toEqual(['no-destroy', 'no-telnet']);
  });

  test('keeps the rules of a file that breaks after the update', () => {
    const paths = homePaths(placeHome(version).root);
    writeFileSync(join(paths.rules, 'own.yaml'), 'rules: [');
    const { rules, problems } = openHomeRules(paths, parseConfig(packsOff, paths.config)).inForce(null);
    expect(problems).toEqual([expect.objectContaining({ lastGood: true })]);
    expect(rules.map(({ id }) => id)).toEqual([
      'no-version-bump',
      'publish-asks',
      'migrations-ask',
      'issues-ask',
      'watch-make',
      'no-curl-uploads',
    ]);
  });
});

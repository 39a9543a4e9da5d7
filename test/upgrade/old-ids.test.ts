import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import rulesCommand from '../../src/cli/rules/rules.ts';
import { createRuleTally } from '../../src/daemon/web/rule-tally.ts';
import { recordedCalls } from '../../src/history/replay/recorded-calls.ts';
import { observedRules } from '../../src/history/replay/report.ts';
import { readRulePrompts } from '../../src/history/rule-prompts.ts';
import { idToday } from '../../src/rules/gone.ts';
import { packRuleIds } from '../../src/rules/pack.ts';
import { packData } from '../../src/rules/pack-data.ts';
import { openStore } from '../../src/store/database/open.ts';
import { createRecorder } from '../../src/store/record/recorder.ts';
import { printed, useHome } from '../support/cli.ts';
import { callWith } from '../support/engine.ts';
import { handled, rulesHandlerOf } from '../support/history/replay.ts';
import { scratchPath } from '../support/store/store.ts';
import { judgeIn, openOld } from './open-engine.ts';
import { placeHome } from './place-home.ts';

// Rules are merged, and their ids stay in settings and in the history.

/** Every id that a rule of a pack had before rules were merged. Ids are added here, and never taken out. */
const EVER = readFileSync(new URL('./rule-ids.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

test('every id that ever existed still means a rule', () => {
  const ids = new Set(packRuleIds());
  expect(EVER.filter((id) => !ids.has(idToday(id)))).toEqual([]);
});

test('a rule that replaced others has its own id', () => {
  const rules = Object.values(packData().packs).flatMap((pack) => pack.rules);
  const merged = rules.filter(({ was = {} }) => Object.keys(was).length > 1);
  expect(merged.length).toBeGreaterThan(0);
  // Where a rule kept its id, to switch that off would switch off what has been added to it.
  expect(merged.filter(({ text }) => EVER.includes(text.id))).toEqual([]);
});

/** The home of an earlier version, in which these ids were switched off. */
function homeWithout(...ids: readonly string[]) {
  const { root, shop } = placeHome('0.1.0');
  writeFileSync(join(root, 'config.yaml'), `rulesOff: [${ids.join(', ')}]\n`);
  return { root, shop };
}

// Their paths are those of POSIX systems.
describe.skipIf(process.platform === 'win32')('a home that disables rules by their old ids', () => {
  const lines = ['systemctl enable x', 'crontab jobs.txt', 'systemctl enable x; crontab jobs.txt'] as const;

  test.each([
    [['persistence/services'], ['none', 'ask', 'ask']],
    [['persistence/schedule'], ['ask', 'none', 'ask']],
    // Each of them takes out its own part, and together they leave nothing of these.
    [
      ['persistence/services', 'persistence/schedule'],
      ['none', 'none', 'none'],
    ],
    [['persistence/start-by-command'], ['ask', 'ask', 'ask']],
    [['persistence/starts'], ['none', 'none', 'none']],
  ])('disables exactly those: %j', async (ids, expected) => {
    const { root, shop } = homeWithout(...ids);
    const home = openOld(root);
    expect(home.rules.inForce(shop)).toMatchObject({ problems: [], unknownDisabledIds: [] });
    const judge = judgeIn(home, shop, { hooks: false });
    const found = [];
    for (const command of lines) found.push((await judge('Bash', { command })).decision);
    expect(found).toEqual(expected);
  });

  test('gets the current rule names', async () => {
    const home = homeWithout('persistence/services');
    useHome(home);
    const [text = ''] = await printed(rulesCommand, ['check', '--json']);
    expect(JSON.parse(text)).toMatchObject({
      ok: true,
      warnings: [
        {
          where: 'config.yaml',
          message: expect.stringContaining('"rulesOff" is called "disabledRules" now'),
        },
        { where: 'config.yaml', message: expect.stringContaining(`part of ${NEW}`) },
      ],
    });
  });
});

const OLD = 'persistence/services';
const NEW = 'persistence/starts';

async function recordedUnder(id: string, more = '') {
  const db = openStore(scratchPath());
  const calls = ['systemctl enable x', 'systemctl enable y'].map((command, at) =>
    callWith(
      'claude',
      AGENTS.get('claude')?.toolPayload({ id: `u${at}`, tool: 'Bash', input: { command }, cwd: '/w' }),
    ),
  );
  const rules = `rules: [{ id: ${id}, command: systemctl, ask: Why? ${more} }]`;
  const recorder = createRecorder(db, { redact: (text) => text });
  await handled(calls, (now) => [rulesHandlerOf(rules, now)], recorder);
  return db;
}

describe('calls recorded under an old id count for the current rule', () => {
  test('in how often it was part of an answer', async () => {
    const tally = await createRuleTally(await recordedUnder(OLD)).count();
    expect(tally.get(NEW)).toMatchObject({ hits: 2 });
    expect(tally.get(OLD)).toBeUndefined();
  });

  test('in how often it asked', async () => {
    expect(readRulePrompts(await recordedUnder(OLD), {})).toMatchObject([{ rule: NEW, asked: 2 }]);
  });

  test('in what it would have decided', async () => {
    const db = await recordedUnder(OLD, ', mode: observe');
    expect(observedRules(recordedCalls(db, {}, 'observed'), [], AGENTS)).toMatchObject([
      { rule: NEW, times: 2 },
    ]);
  });
});

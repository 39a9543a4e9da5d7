import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { AGENTS } from '../../src/agents/_registry.ts';
import { parseHooks } from '../../src/hooks/config-file.ts';
import { merge } from '../../src/model/merge.ts';
import { none } from '../../src/model/responses.ts';
import type { ImportedRules } from '../../src/model/rule-drafts.ts';
import { plainWorld } from '../support/rules/rules.ts';
import { createRulesHandler } from '../../src/rules/handler.ts';
import { readDamageControl } from '../../src/rules/import/damage-control.ts';
import { ruleFileOf } from '../../src/rules/import/file.ts';
import { readHookify } from '../../src/rules/import/hookify.ts';
import { readRulesync } from '../../src/rules/import/rulesync.ts';
import { parseRules } from '../../src/rules/files/load.ts';
import { createSessionMemory } from '../../src/rules/session/memory.ts';
import { indexRules } from '../../src/rules/rule-index.ts';
import { failedExamples } from '../../src/rules/review/examples.ts';

type Read = (text: string, path: string) => ImportedRules;

const own = (id: string): Read => {
  const read = AGENTS.get(id)?.permissions?.read;
  if (!read) throw new Error(`${id} has no permissions to import`);
  return read;
};

const READERS: Readonly<Record<string, Read>> = {
  claude: own('claude'),
  codex: own('codex'),
  gemini: own('gemini'),
  opencode: own('opencode'),
  hookify: readHookify,
  'damage-control': readDamageControl,
};

function imported(format: string) {
  const folder = new URL(`./${format}/`, import.meta.url);
  const names = readdirSync(folder).filter((name) => !name.startsWith('imported'));
  const read = READERS[format];
  if (!read) throw new Error(`no reader for ${format}`);
  return ruleFileOf(
    names.sort().map((name) => read(readFileSync(new URL(name, folder), 'utf8'), name)),
    names,
  );
}

/** What the imported rules decide about a call, by whichever agent it comes. */
function decisions(format: string, tool: string, input: Readonly<Record<string, unknown>>): string[] {
  const { rules } = parseRules(imported(format).text ?? '', 'imported.yaml');
  const index = indexRules(rules);
  const handler = createRulesHandler({
    rulesFor: () => ({ index, problems: [] }),
    world: plainWorld,
    memory: createSessionMemory(),
    failed: () => none(),
  });
  const decided = [...AGENTS.values()].map((agent) => {
    const payload = agent.toolPayload({ id: 'x', tool, input, cwd: '/home/dev/shop' });
    const event = agent.decode({ id: 'x', receivedAt: 0, event: null, payload, env: {} });
    const given = handler.decide({ ...event, projectId: '/home/dev/shop' });
    if (given instanceof Promise) throw new Error('rules answer at once');
    return given.reduce((all, { response }) => merge(all, response), none()).decision;
  });
  return [...new Set(decided)];
}
const onCommand = (format: string, command: string) => decisions(format, 'Bash', { command });
const onFile = (format: string, tool: string, path: string) =>
  decisions(format, tool, tool === 'Read' ? { file_path: path } : { file_path: path, content: 'x' });

describe.each(Object.keys(READERS))('%s', (format) => {
  test('becomes valid rules, and reports everything else', async () => {
    const { text, notes } = imported(format);
    await expect(text).toMatchFileSnapshot(`./${format}/imported.yaml`);
    await expect(stringify(notes, { lineWidth: 0 })).toMatchFileSnapshot(`./${format}/imported.notes.yaml`);
    const { rules, problems } = parseRules(text ?? '', 'imported.yaml');
    expect(problems).toEqual([]);
    expect(rules.flatMap(failedExamples)).toEqual([]);
  });
});

test.each([
  ['npm run test', 'allow'],
  ['npm run test unit', 'allow'],
  // The client's own permission would let `--script-shell` pass, too.
  ['npm run test --watch', 'none'],
  ['npm run test && rm -rf ~', 'none'],
  ['npm --prefix /tmp/x run test', 'none'],
  ['npm run tests', 'none'],
  ['git status', 'allow'],
  ['git status; git status', 'none'],
  ['git status --short', 'none'],
  ['git diff --stat', 'none'],
  ['git push origin main', 'ask'],
  ["sh -c 'git push'", 'ask'],
  ['curl https://x.example', 'deny'],
  ['ls && curl x.example', 'deny'],
  ['rm -rf /', 'deny'],
  ['cat .env', 'deny'],
])('claude: `%s` comes to %s', (command, decision) => {
  expect(onCommand('claude', command)).toEqual([decision]);
});

test.each([
  ['Read', '/home/dev/shop/docs/a.md', 'allow'],
  ['Read', '/home/dev/shop/docs/../.env', 'deny'],
  ['Read', '/home/dev/docs/a.md', 'none'],
  ['Read', '/etc/shadow', 'deny'],
  ['Write', '/home/dev/.ssh/config', 'deny'],
  ['Write', '/home/dev/shop/src/a.ts', 'allow'],
  ['Write', '/home/dev/other/src/a.ts', 'none'],
])('claude: %s %s comes to %s', (tool, path, decision) => {
  // One client has no tool that reads a single file; what it does instead is a command.
  expect(onFile('claude', tool, path)).toContain(decision);
});

test.each([
  ['git status -sb', 'allow'],
  ['git status && git push', 'ask'],
  ['git -C /tmp status', 'none'],
  ['git fetch', 'ask'],
  ['rm -rf build', 'deny'],
  ['rm build', 'none'],
  ["echo 'a b'", 'allow'],
  ['echo a b', 'none'],
])('codex: `%s` comes to %s', (command, decision) => {
  expect(onCommand('codex', command)).toEqual([decision]);
});

test.each([
  ['git commit -m x', 'ask'],
  ['rm -rf x', 'deny'],
  ['ls', 'none'],
])('gemini: `%s` comes to %s', (command, decision) => {
  expect(onCommand('gemini', command)).toEqual([decision]);
});

test.each([
  ['git status', 'ask'],
  ['git push origin main', 'deny'],
  ['ls', 'ask'],
])('opencode: `%s` comes to %s', (command, decision) => {
  expect(onCommand('opencode', command)).toEqual([decision]);
});

test.each([
  ['hookify', 'rm  -rf x', 'deny'],
  ['hookify', 'rm x', 'none'],
  ['damage-control', 'rm -rf x', 'deny'],
  ['damage-control', 'git stash drop', 'ask'],
  ['damage-control', 'cat key.pem', 'deny'],
  ['damage-control', 'echo x > package-lock.json', 'deny'],
  ['damage-control', 'cat package-lock.json', 'none'],
  ['damage-control', 'rm .git/HEAD', 'deny'],
])('%s: `%s` comes to %s', (format, command, decision) => {
  expect(onCommand(format, command)).toEqual([decision]);
});

test('rulesync: hooks become hooks', async () => {
  const text = readFileSync(new URL('./rulesync/hooks.json', import.meta.url), 'utf8');
  const { hooks, notes } = readRulesync(text, 'hooks.json', 'claude');
  const file = stringify({ hooks });
  await expect(file).toMatchFileSnapshot('./rulesync/imported.yaml');
  await expect(stringify(notes, { lineWidth: 0 })).toMatchFileSnapshot('./rulesync/imported.notes.yaml');
  const { entries, problems } = parseHooks(file, 'hooks.yaml');
  expect(problems).toEqual([]);
  expect(entries).toHaveLength(hooks.length);
});

test('rejects or reports a file of another kind', () => {
  expect(() => own('claude')('{', 'settings.json')).toThrow('settings.json');
  expect(() => own('codex')('def f(): pass', 'a.rules')).toThrow('line 1');
  expect(() => own('gemini')('[[', 'a.toml')).toThrow('not TOML');
  expect(readHookify('no front matter', 'a.md').notes).toHaveLength(1);
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { toJsonSchema } from '@valibot/to-json-schema';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { AGENTS } from '../src/agents/_registry.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { GROUPS, isListed, PARTS } from '../src/cli/summaries.ts';
import { configSchema, readConfig } from '../src/home/config.ts';
import { homePaths } from '../src/home/paths.ts';
import { hooksFileSchema } from '../src/hooks/config-schema.ts';
import { ERRORS } from '../src/model/errors.ts';
import { EVENT_GROUPS, EVENT_TYPES } from '../src/model/events.ts';
import { isObject } from '../src/model/json.ts';
import { ruleFileSchema } from '../src/rules/schema.ts';
import { actsPage } from './acts-page.ts';
import { agentMembers, agentPage } from './agent-members.ts';
import { eventFields } from './event-fields.ts';
import { matrixMarkdown } from './matrix-page.ts';
import { GENERATED, rulesPage } from './rules-page.ts';
import { scratchFolder } from './support/scratch.ts';

// Tables in docs/ are made from code. `npx vitest run test/docs.test.ts -u` regenerates them.

test('docs/matrix.md is what the supports tables say', async () => {
  const text = `${GENERATED}# Agent support

What each agent can do with each decision and effect, from the \`supports\` tables in \`src/agents\`. \`hookline matrix\` prints the tables.
● supported, ◐ supported with limits (see the notes), · not supported and recorded as degraded.

Versions: ${[...AGENTS.values()].map((agent) => `${agent.label} ${agent.testedVersion}`).join(', ')}.

${matrixMarkdown([...AGENTS.values()])}`;
  await expect(text).toMatchFileSnapshot('../docs/matrix.md');
});

test('docs/errors.md lists every error', async () => {
  const rows = Object.entries(ERRORS).map(
    ([code, [meaning, next]]) => `| \`${code}\` | ${meaning} | ${next} |`,
  );
  const text = `${GENERATED}# Errors\n\nEvery error has a code that scripts can rely on. With \`--json\` a command prints its error to stderr as\n\`{"error":{"code","message","hint"}}\`; the [HTTP API](protocol.md) answers the same.\n\n| code | meaning | what to do |\n|---|---|---|\n${rows.join('\n')}\n`;
  await expect(text).toMatchFileSnapshot('../docs/errors.md');
});

const EVENT_FIELDS = `## Notes

- \`timestamp\` is by the agent's clock if it sends a time (Gemini CLI does), else \`receivedAt\`. A time more than 5 minutes ahead is
  ignored. Both are in \`events --json\`.
- \`stopReason\`, at the end of a turn, is in the agent's words.
- \`details\` of a notification is what else the agent sends (Gemini CLI: the call that it asks about).
- \`tool.outcome\` is \`ok\`, \`failed\`, \`denied\`, \`interrupted\` or \`unknown\`.
- \`tool.mcp\` has the server and the tool, and in \`origin\` the program or address of the server (Gemini CLI).
`;

test('docs/events.md lists every event and who has it', async () => {
  const agents = [...AGENTS.values()];
  const rows = EVENT_TYPES.map((type) => {
    const having = agents.filter((agent) => agent.supports[type]).map((agent) => agent.label);
    return `| \`${type}\` | ${having.join(', ')} |`;
  });
  const groups = Object.entries(EVENT_GROUPS).map(([name, types]) => `| \`${name}\` | ${types.join(', ')} |`);
  const text = `${GENERATED}# Events\n\nUnified names of what agents report. Rules and hooks use them in \`on\`.\n\n| event | agents |\n|---|---|\n${rows.join('\n')}\n\nGroups, for rules that mean the same in every agent:\n\n| group | events |\n|---|---|\n${groups.join('\n')}\n\n${EVENT_FIELDS}\n${eventFields(EVENT_TYPES)}`;
  await expect(text).toMatchFileSnapshot('../docs/events.md');
});

test.each([
  ['rules', ruleFileSchema],
  ['config', configSchema],
  ['hooks', hooksFileSchema()],
] as const)('docs/%s.schema.json is the schema that the file is read by', async (name, read) => {
  const { $schema, ...schema } = toJsonSchema(read, { errorMode: 'ignore', typeMode: 'input' });
  const $id = `https://raw.githubusercontent.com/hookline-dev/hookline/main/docs/${name}.schema.json`;
  const text = JSON.stringify({ $schema, $id, ...schema }, null, 2);
  await expect(`${text}\n`).toMatchFileSnapshot(`../docs/${name}.schema.json`);
});

test('docs/acts.md has every act on every object', async () => {
  await expect(actsPage()).toMatchFileSnapshot('../docs/acts.md');
});

test('docs/rules-reference.md has every key and word of a rule', async () => {
  await expect(rulesPage()).toMatchFileSnapshot('../docs/rules-reference.md');
});

/** What `hookline NAME --help` prints. */
async function helpOf(name: string): Promise<string> {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
  try {
    await (await COMMANDS[name]?.[1]())?.default.run(['--help']);
  } finally {
    log.mockRestore();
  }
  return stripVTControlCharacters(lines.join('\n'));
}

test('docs/commands.md is what the commands say of themselves', async () => {
  const sections: string[] = [];
  for (const [title, commands] of Object.entries(GROUPS)) {
    sections.push(`## ${title}`);
    for (const name of Object.keys(commands)) {
      sections.push(`### ${name}\n\n\`\`\`text\n${await helpOf(name)}\n\`\`\``);
      for (const part of PARTS[name]?.filter((each) => !isListed(each)) ?? [])
        sections.push(`### ${name} ${part}\n\n\`\`\`text\n${await helpOf(part)}\n\`\`\``);
    }
  }
  const text = `${GENERATED}# Commands\n\nWhat \`hookline COMMAND --help\` prints. Subcommands also work on their own: \`hookline approve\` is \`hookline approvals\napprove\`. Commands that decide something need [a person](security.md#who-can-decide). \`hookline codex\` has\n[its own page](agents/codex-app-server.md).\n\n${sections.join('\n\n')}\n`;
  await expect(text).toMatchFileSnapshot('../docs/commands.md');
});

test('docs/configuration.md shows every setting with its default', () => {
  const page = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');
  const [, shown = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const readText = (text: string) => {
    const file = join(scratchFolder(), 'config.yaml');
    writeFileSync(file, text);
    return readConfig(file);
  };
  expect(readText(shown)).toEqual(readText('{}'));
  const pathsIn = (value: unknown, path: string): string[] =>
    isObject(value) && Object.keys(value).length > 0
      ? Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, `${path}.${key}`))
      : [path];
  // Not a setting: it says which ones the file calls by a former name.
  const { former, ...settings } = readText('{}');
  expect(former).toEqual([]);
  expect(pathsIn(parse(shown), '').sort()).toEqual(pathsIn(settings, '').sort());
});

test('docs/doctor.md names every finding that is not a limit of an agent', () => {
  const folder = new URL('../src/cli/doctor/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const made = /(?:level: '(?:problem|warning)',\s+code: |\b(?:problem|warning)\(\s*)'([a-z-]+)'/g;
  const found = sources.flatMap((text) => [...text.matchAll(made)]);
  const codes = [...new Set(found.map(([, code = '']) => code))];
  expect(codes.length).toBeGreaterThan(20);
  const page = readFileSync(new URL('../docs/doctor.md', import.meta.url), 'utf8');
  const families = [...page.matchAll(/`([a-z-]+)…`/g)].map(([, family = '']) => family);
  const isNamed = (code: string) =>
    page.includes(`\`${code}\``) || families.some((family) => code.startsWith(family));
  expect(codes.filter((code) => !isNamed(code))).toEqual([]);
});

test('docs/home.md lists the files of a home', async () => {
  const source = readFileSync(new URL('../src/home/paths.ts', import.meta.url), 'utf8');
  const [, body = ''] = /interface HomePaths \{\n([\s\S]*?)\n\}/.exec(source) ?? [];
  const about = new Map(
    [...body.matchAll(/\/\*\* (.*) \*\/\n {2}readonly (\w+)/g)].map(([, text, name]) => [name, text]),
  );
  const { root, ...paths } = homePaths('/home');
  const rows = Object.entries(paths).map(([name, path]) => [relative(root, path), about.get(name)]);
  expect(rows.filter(([, text]) => text === undefined)).toEqual([]);
  const text = `${GENERATED}# Files in the home\n\nPaths in \`$HOOKLINE_HOME\`, by default \`~/.hookline\`, from \`src/home/paths.ts\`. [Configuration](configuration.md) describes the settings.\n\n| path | content |\n|---|---|\n${rows.map(([path, text]) => `| \`${path}\` | ${text} |`).join('\n')}\n`;
  await expect(text).toMatchFileSnapshot('../docs/home.md');
});

test('docs/agent-interface.md says what each member of an agent is', async () => {
  const members = agentMembers();
  expect(members.length).toBeGreaterThan(25);
  expect(members.filter(({ about }) => about === '')).toEqual([]);
  await expect(agentPage(GENERATED)).toMatchFileSnapshot('../docs/agent-interface.md');
});

test('the README names every agent, and each has its page', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [introduction = ''] = readme.split(/^## /m);
  const agents = [...AGENTS.values()];
  expect(agents.filter(({ label }) => !introduction.includes(label))).toEqual([]);
  expect(agents.filter(({ id, label }) => !readme.includes(`[${label}](docs/agents/${id}.md)`))).toEqual([]);
});

test('the registry has every agent there is a folder for', () => {
  const folders = readdirSync(new URL('../src/agents/', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'kit' && entry.name !== 'setup')
    .map((entry) => entry.name);
  expect([...AGENTS.keys()]).toEqual(folders.sort());
  for (const [id, agent] of AGENTS) expect(agent.id).toBe(id);
});

test('docs/coming-from.md names every source of dispatcher scripts, and the agent behind it', () => {
  const page = readFileSync(new URL('../docs/coming-from.md', import.meta.url), 'utf8');
  const rows = [...AGENTS.values()]
    .flatMap(({ dispatcher, label }) => (dispatcher?.sources ?? []).map((source) => [source, label]))
    .map(([source, label]) => `| ${source === '' ? '(none)' : `\`${source}\``} | ${label} |`);
  const table = /\| source \| agent \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page)?.[1] ?? '';
  expect(table.trim().split('\n')).toEqual(rows);
});

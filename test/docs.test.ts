import { readdirSync } from 'node:fs';
import { toJsonSchema } from '@valibot/to-json-schema';
import { expect, test } from 'vitest';
import { AGENTS } from '../src/agents/_registry.ts';
import { matrixMarkdown } from '../src/agents/matrix.ts';
import { ERRORS } from '../src/model/errors.ts';
import { EVENT_GROUPS, EVENT_TYPES } from '../src/model/events.ts';
import { ruleFileSchema } from '../src/rules/schema.ts';

// Tables in docs/ are made from code. `npx vitest run test/docs.test.ts -u` writes them anew.

test('docs/matrix.md is what the supports tables say', async () => {
  const text = `# What each agent can be told

Made from the \`supports\` tables in \`src/agents\`; \`hookline matrix\` prints the same. ● the agent does it, ◐ Hookline does
it another way or the agent does it with a catch (see the notes), · the agent cannot: the wish is recorded as degraded.
Versions: ${[...AGENTS.values()].map((agent) => `${agent.label} ${agent.testedVersion}`).join(', ')}.

${matrixMarkdown([...AGENTS.values()])}`;
  await expect(text).toMatchFileSnapshot('../docs/matrix.md');
});

test('docs/errors.md lists every error', async () => {
  const rows = Object.entries(ERRORS).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  const text = `# Errors\n\nEvery error has a code; scripts may rely on it.\n\n| code | meaning |\n|---|---|\n${rows.join('\n')}\n`;
  await expect(text).toMatchFileSnapshot('../docs/errors.md');
});

test('docs/events.md lists every event and who has it', async () => {
  const agents = [...AGENTS.values()];
  const rows = EVENT_TYPES.map((type) => {
    const having = agents.filter((agent) => agent.supports[type]).map((agent) => agent.label);
    return `| \`${type}\` | ${having.join(', ')} |`;
  });
  const groups = Object.entries(EVENT_GROUPS).map(([name, types]) => `| \`${name}\` | ${types.join(', ')} |`);
  const text = `# Events\n\n| event | agents |\n|---|---|\n${rows.join('\n')}\n\nGroups, for rules that mean the same on every agent:\n\n| group | events |\n|---|---|\n${groups.join('\n')}\n`;
  await expect(text).toMatchFileSnapshot('../docs/events.md');
});

test('docs/rules.schema.json is the schema that rules are read by', async () => {
  const schema = toJsonSchema(ruleFileSchema, { errorMode: 'ignore', typeMode: 'input' });
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../docs/rules.schema.json');
});

test('the registry has every agent there is a folder for', () => {
  const folders = readdirSync(new URL('../src/agents/', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
    .map((entry) => entry.name);
  expect([...AGENTS.keys()]).toEqual(folders.sort());
  for (const [id, agent] of AGENTS) expect(agent.id).toBe(id);
});

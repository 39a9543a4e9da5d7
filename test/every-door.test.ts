import { afterAll, expect, test, vi } from 'vitest';
import type { Use } from '../src/knowledge/vocabulary.ts';
import { toolKind } from '../src/model/tools.ts';
import { exampleBase } from '../src/rules/review/example-event.ts';

// A verb is listed once, and counts however an agent asks for it. Here the vocabulary has one more.

const before = await import('../src/knowledge/load.ts');
const wordsFor = (use: Use) => {
  const words = before.wordsFor(use);
  return words.includes('obliterate') ? [...words, 'frobnicate'] : words;
};

// Other files of this process have read the vocabulary already.
vi.resetModules();
vi.doMock('../src/knowledge/load.ts', () => ({
  ...before,
  wordsFor,
  anyWordFor: (use: Use) => `(?:${wordsFor(use).join('|')})`,
  countsAs: (use: Use, word: string) => wordsFor(use).includes(word),
}));
const { factsOf, shellCall } = await import('./support/rules/rules.ts');
vi.doUnmock('../src/knowledge/load.ts');

afterAll(() => {
  vi.resetModules();
});

const PROJECT = '/home/dev/project';

function toolCall(server: string, name: string, input: Record<string, unknown>) {
  const mcp = { server, tool: name };
  const nativeName = `mcp__${server}__${name}`;
  const base = { name: nativeName, nativeName, kind: toolKind(nativeName, mcp), input, mcp };
  return {
    ...exampleBase({ sessionId: 's1', cwd: PROJECT, projectId: PROJECT }),
    type: 'before_tool' as const,
    tool: { ...base, useId: null, command: null, files: [] },
  };
}

/** The same with another verb; the words around it stay. */
const doors = (verb: string) => {
  const Verb = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
  return [
    ['a subcommand', shellCall(`aws rds ${verb}-db-instance x`)],
    ['a program that is not described', shellCall(`unheard-of projects ${verb} shop`)],
    ['the path of a request', shellCall(`curl -X POST https://api.example.com/projects/7/${verb}`)],
    ['a mutation', shellCall(`gh api graphql -f query='mutation { ${verb}Repository(input: {}) { id } }'`)],
    [
      'an operation in a header',
      shellCall(`curl -H 'x-amz-target: X.${Verb}Table' -d '{}' https://db.example.com`),
    ],
    [
      'a method in code',
      shellCall(`python3 -c "from github import Github; Github(t).get_repo('a/b').${verb}()"`),
    ],
    ['the name of a tool', toolCall('any', `${verb}_project`, { id: 1 })],
    ['an argument of a tool', toolCall('any', 'manage_project', { action: verb })],
    ['a request by a tool', toolCall('any', 'http_post', { url: `https://x.example/projects/7/${verb}` })],
    [
      'a click',
      toolCall('playwright', 'browser_click', { element: `${Verb} project on production`, ref: 'e1' }),
    ],
  ] as const;
};

const isDestructive = (event: ReturnType<typeof shellCall> | ReturnType<typeof toolCall>) =>
  factsOf(event)
    .effects()
    .some(({ tags }) => tags.includes('destructive'));

test.each(doors('frobnicate'))('a new verb counts as %s', (_, event) => {
  expect(isDestructive(event)).toBe(true);
});

test.each(doors('embellish'))('any other word does not count as %s', (_, event) => {
  expect(isDestructive(event)).toBe(false);
});

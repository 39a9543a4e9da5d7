import { expect, test } from 'vitest';
import { mutationsIn } from './graph.ts';

const DELETES = 'deleteRepository(input: {id: 1}) { id }';

test.each([
  ['alone', `mutation { ${DELETES} }`],
  ['under another name', `mutation M($i: In = {a: "}"}) @x(a: "{") { a: ${DELETES} }`],
  ['behind a comment', `# query\n,mutation{${DELETES}}`],
  ['behind a query', `query A { viewer { id } } mutation B { ${DELETES} }`],
  ['in a fragment', `fragment F on Mutation { ${DELETES} } mutation { ...F }`],
  ['in place', `mutation { ... on Mutation { ... @include(if: true) { ${DELETES} } } }`],
  ['without arguments', 'mutation { deleteRepository }'],
  ['with a comment in it', 'mutation { deleteRepository # {\n (input: {id: 1}) { id } }'],
  ['behind a text with braces', `mutation { a: addComment(body: "{ \\" }") { id } ${DELETES} }`],
])('finds a mutation %s', (_, text) => {
  expect(mutationsIn(text)).toContain('deleteRepository');
});

test.each([
  ['a query', 'query { repository(name: "mutation") { deleteRepository } }'],
  ['what a mutation returns', 'mutation { addComment(body: "x") { deleteRepository } }'],
  ['a text', `a mutation { ${DELETES} }`],
  ['a text in a query', `{ search(q: "mutation { ${DELETES.replace(/"/g, '')} }") { id } }`],
])('finds no mutation in %s', (_, text) => {
  expect(mutationsIn(text)).not.toContain('deleteRepository');
});

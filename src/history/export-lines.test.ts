import { readFileSync } from 'node:fs';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { openTestHistory, turn } from '../../test/support/history/history.ts';
import { exportLine, exportLines } from './export-lines.ts';
import { spansOf } from './spans.ts';

function filled() {
  const history = openTestHistory();
  for (const payload of turn('s1', 'Fix the auth bug')) history.send('claude', payload);
  history.observe();
  return history;
}

test('docs/export.schema.json matches the export', () => {
  const schema = {
    title: 'One line of `hookline export`',
    ...toJsonSchema(exportLine, { errorMode: 'ignore' }),
  };
  const published = JSON.parse(
    readFileSync(new URL('../../docs/export.schema.json', import.meta.url), 'utf8'),
  );
  expect(published).toEqual(schema);
});

test('every line matches the schema, and everything is exported', () => {
  const { db } = filled();
  const lines = [...exportLines(db, {})].map((line) => v.parse(exportLine, JSON.parse(JSON.stringify(line))));
  expect(lines.map(({ line }) => line)).toEqual([
    'session',
    ...Array.from({ length: 6 }, () => 'event'),
    ...Array.from({ length: 5 }, () => 'observation'),
  ]);
  expect([...exportLines(db, { session: 'unknown' })]).toEqual([]);
  expect([...exportLines(db, { since: Date.now() })]).toEqual([]);
});

test('a turn is a span with its calls as children, and both are the same when exported again', () => {
  const { db } = filled();
  const spans = spansOf(db, {});
  const [whole, test_, edit] = spans;
  expect(spans).toHaveLength(3);
  expect(whole).toMatchObject({ name: 'turn', parentId: null, attributes: { 'hookline.turn.number': 1 } });
  expect(test_).toMatchObject({
    name: 'tool Bash',
    parentId: whole?.spanId,
    traceId: whole?.traceId,
    failed: true,
    attributes: { 'hookline.decision': 'none', 'hookline.rules': [], 'hookline.tool.outcome': 'failed' },
  });
  expect(edit).toMatchObject({ name: 'tool Edit', failed: false });
  expect(test_?.endMs).toBeGreaterThan(test_?.startMs ?? Number.POSITIVE_INFINITY);
  expect(spansOf(db, {})).toEqual(spans);
});

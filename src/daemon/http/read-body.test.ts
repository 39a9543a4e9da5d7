import { Hono } from 'hono';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { readBody } from './read-body.ts';

const app = new Hono();
app.post('/', async (c) => c.json(await readBody(c, v.strictObject({ count: v.number() }))));
app.onError((error, c) => c.json({ ...error }));
const post = async (body: string) => (await app.request('/', { method: 'POST', body })).json();

test('returns a valid body as the schema defines it', async () => {
  expect(await post('{"count": 2}')).toEqual({ count: 2 });
});

test.each(['{"count": "two"}', '{"count": 2, "more": 1}', 'no JSON', ''])(
  'reports an invalid body to the caller: %j',
  async (body) => {
    expect(await post(body)).toMatchObject({ code: 'USAGE' });
  },
);

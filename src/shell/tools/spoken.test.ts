import { expect, test } from 'vitest';
import { effects } from '../../../test/support/shell/shell.ts';

test.each([
  "psql shop < <(echo 'drop table x')",
  "psql shop <<< 'drop table x'",
  "psql -f <(echo 'drop table x') shop",
  "echo 'drop table x' > /tmp/q.sql; psql -f /tmp/q.sql shop",
  "printf 'drop table x' > q.sql && mysql shop < q.sql",
  "echo 'drop table x' | docker exec -i db psql -U app shop",
  "kubectl exec -it db-0 -- mysql -e 'drop table x'",
  "wrangler d1 execute shop --remote --command='drop table x'",
  "echo 'drop table x' > q.sql; wrangler d1 execute shop --remote --file q.sql",
  "echo 'drop table x' | turso db shell shop",
  "echo 'drop table x' | pscale shell shop main",
  "echo 'drop table x' | npx prisma db execute --stdin --schema a.prisma",
])('reads SQL from every source: %s', (line) => {
  expect(effects(line, 'resource').filter(({ destructive }) => destructive)).toMatchObject([
    { system: 'sql' },
  ]);
});

test.each([
  'psql -f migrations/1.sql shop',
  "wrangler d1 execute shop --local --command 'drop table x'",
  "turso db shell shop 'select 1'",
  'npx prisma db execute --file seed.sql',
  "echo 'drop table x' | turso db list",
])('unknown or harmless text loses nothing: %s', (line) => {
  expect(effects(line, 'resource').filter(({ destructive }) => destructive)).toEqual([]);
});

import { expect, test } from 'vitest';
import { analyse } from '../shell/analyse.ts';
import { statementDeed } from './statement.ts';

test.each([
  ['GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC', false, 'access'],
  ['ALTER ROLE readonly WITH SUPERUSER', false, 'access'],
  ["ALTER USER shop WITH PASSWORD 'x'", false, 'access'],
  ['GRANT SELECT ON orders TO reports', true, 'access'],
  ['ALTER TABLE payments DISABLE ROW LEVEL SECURITY', false, 'access'],
  ['select pg_terminate_backend(pid) from pg_stat_activity', false, 'destructive'],
  ["select pg_drop_replication_slot('standby')", false, 'destructive'],
  ["UPDATE users SET plan = 'x' WHERE created_at < now()", false, 'destructive'],
  ["-- don't\nGRANT ALL ON users TO PUBLIC -- '", false, 'access'],
  ['SELECT 1; GRANT ALL ON users TO PUBLIC', false, 'access'],
  ['UPDATE users SET admin = true WHERE id = id', false, 'destructive'],
  ['UPDATE users SET admin = true WHERE id = any(SELECT id FROM users)', false, 'destructive'],
  ["UPDATE carts SET state = 'x' WHERE id = 1", true, 'destructive'],
  ['UPDATE users SET is_admin = true WHERE id = 7', false, 'access'],
  ["UPDATE accounts SET role='admin' WHERE id=7", false, 'access'],
  ["INSERT INTO user_roles (user_id, role) VALUES (7, 'x')", false, 'access'],
  ['ALTER SYSTEM SET fsync = off', false, 'destructive'],
  ["SET GLOBAL general_log = 'OFF'", false, 'destructive'],
  ['ALTER SERVER AUDIT x WITH (STATE = OFF)', false, 'destructive'],
] as const)('%s, in use: %s', (sql, isReal, how) => {
  expect(statementDeed(sql, isReal)).toBe(how);
});

test.each([
  ['SELECT * FROM users', true],
  ['GRANT SELECT ON orders TO reports', false],
  ["UPDATE users SET name = 'x' WHERE id = 1", false],
  ["INSERT INTO notes VALUES ('GRANT ALL TO PUBLIC; shutdown')", true],
  ["UPDATE users SET a = 1 WHERE email = lower('A@B')", false],
  ['UPDATE users SET a = 1 WHERE id = $1', false],
  ["UPDATE users SET role = 'viewer' WHERE id = 1", false],
  ["UPDATE users SET name = 'x' WHERE role = 'admin' AND id = 1", false],
  ["SHOW GLOBAL VARIABLES LIKE 'general_log'", true],
  ['-- SET GLOBAL general_log = 0', false],
  ['-- ALTER SYSTEM SET x = 1', true],
] as const)('%s, in use: %s, is ordinary', (sql, isReal) => {
  expect(statementDeed(sql, isReal)).toBeNull();
});

test('a client reports it for a shared database, and not for a local one', () => {
  const grants = (line: string) =>
    analyse(line, { cwd: '/home/dev', home: '/home/dev', env: {} }).effects.some(
      (effect) => effect.kind === 'resource' && effect.how === 'access',
    );
  const sql = 'GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC';
  expect(grants(`psql -h db.example.com -c '${sql}'`)).toBe(true);
  expect(grants(`psql "$PROD_DATABASE_URL" -c '${sql}'`)).toBe(true);
  expect(grants(`psql -h localhost -c '${sql}'`)).toBe(false);
  expect(grants(`psql -c '${sql}'`)).toBe(false);
});

test('any client reads SQL in a file that the line wrote', () => {
  const drops = (line: string) =>
    analyse(line, { cwd: '/home/dev', home: '/home/dev', env: {} }).effects.some(
      (effect) => effect.kind === 'resource' && effect.destructive,
    );
  expect(drops("echo 'DROP TABLE users' > x.sql; psql -h db.example.com -f x.sql")).toBe(true);
  expect(drops("psql -h db.example.com -f <(echo 'DROP TABLE users')")).toBe(true);
  expect(drops("echo 'SELECT 1' > x.sql; psql -h db.example.com -f x.sql")).toBe(false);
});

test('a temporary table is disposable, and an audit table is not', () => {
  const removes = (sql: string) =>
    analyse(`psql -c "${sql}"`, { cwd: '/home/dev', home: '/home/dev', env: {} }).effects.some(
      (effect) => effect.kind === 'resource' && effect.destructive,
    );
  expect(removes('CREATE TEMP TABLE t AS SELECT 1; UPDATE t SET a = 1; DELETE FROM t; DROP TABLE t')).toBe(
    false,
  );
  expect(removes('CREATE TEMP TABLE t AS SELECT 1; DROP TABLE t; DROP TABLE t')).toBe(true);
  expect(removes('CREATE TEMP TABLE t AS SELECT 1; DELETE FROM users')).toBe(true);
  expect(removes('DELETE FROM audit_log WHERE id = 3')).toBe(true);
  expect(removes('DELETE FROM carts WHERE id = 3')).toBe(false);
  expect(removes('ALTER SYSTEM SET fsync = off')).toBe(true);
});

test('reads a long text in time proportional to its length', () => {
  for (const part of ['\n', 'as (delete from a', "'", '/*', ';', 'where '])
    statementDeed(part.repeat(100_000), false);
});

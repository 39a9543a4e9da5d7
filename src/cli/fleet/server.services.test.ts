import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, vi } from 'vitest';
import { printed } from '../../../test/support/cli.ts';
import { until } from '../../../test/support/daemon/daemon.ts';
import { testMachine } from '../../../test/support/fleet/archived-machine.ts';
import { startServer, testSettings } from '../../../test/support/fleet/nats.ts';
import { freshDatabase, PASSWORD, testWithPostgres as test } from '../../../test/support/fleet/postgres.ts';
import { prepareArchive } from '../../fleet/archive/migrate.ts';
import fleet from './fleet.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));

/** `hookline fleet server`, started from the command line. */
function startProcess(home: string, url: string) {
  const env = { PATH: process.env.PATH, HOME: home, HOOKLINE_HOME: home, HOOKLINE_FLEET_DATABASE: url };
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, 'fleet', 'server'], { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  onTestFinished(() => end('SIGKILL').then(() => {}));
  return { said: () => said, end };
}

const said = async (code: number, ...args: string[]) => (await printed(fleet, args, code)).join('\n');

test('a server that is killed goes on where it was; what it kept is searched and checked', async () => {
  const settings = testSettings(await startServer());
  const { url, open } = await freshDatabase();
  const machine = testMachine();
  const sent = machine.join(settings);
  machine.record(300, 's1', 'git push --force');
  const first = startProcess(machine.home.paths.root, url);
  const db = await open();
  const count = async () => {
    const [table] = await db.query("SELECT to_regclass('hookline.events')::text AS found");
    if (table?.found === null) return 0;
    return Number((await db.query('SELECT count(*) AS n FROM hookline.events'))[0]?.n);
  };
  await until(async () => (await count()) > 0);
  await first.end('SIGKILL');
  machine.record(100, 's2', 'cargo test');
  const second = startProcess(machine.home.paths.root, url);
  await sent.allSent();
  await until(async () => (await count()) === 400);
  await until(
    async () => (await db.query("SELECT 1 FROM hookline.machines WHERE name = 'tester'")).length === 1,
  );
  expect(await second.end('SIGTERM')).toBe(0);
  expect(second.said()).toMatch(
    /Archiving the fleet test in postgres:\/\/hookline@127\.0\.0\.1:\d+\/test_\d+\. Stop with Ctrl-C\.\n/,
  );
  expect(second.said()).toMatch(/Stored \d+ records?\.\n$/);
  for (const one of [first, second]) expect(one.said()).not.toContain(PASSWORD.slice(0, 9));

  vi.stubEnv('HOOKLINE_FLEET_DATABASE', url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const [day, ...lines] = (await said(0, 'search', 'cargo', 'test', '--limit', '3')).split('\n');
  expect(day).toMatch(/^2023-11-\d\d$/);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d +tester +claude +.*Bash +cargo test/);
  const hit = JSON.parse(await said(0, 'search', 'push', '--machine', 'tester', '--limit', '1', '--json'));
  expect(hit).toMatchObject({
    machine: { id: machine.id, name: 'tester' },
    type: 'before_tool',
    tool: { name: 'Bash', input: { command: 'git push --force' } },
  });
  expect(await said(0, 'search', 'nothing-of-this')).toBe('No matches in the archive.');
  expect(await said(0, 'search', '--decision', 'deny')).toBe('No matches in the archive.');
  expect(await said(0, 'verify', '--database', url)).toMatch(/ {2}ok {2}400 records, signed up to link 384/);
});

test.each([
  [['search', 'x'], 'Missing database.'],
  [['server'], 'not in a fleet'],
  [
    ['search', '--database', 'postgres://localhost/a'],
    'Missing search text. Give words or a filter, such as `hookline fleet search npm publish`.',
  ],
  [['search', 'x', '--database', 'http://maya:s3cret@localhost/a'], 'must start with postgres://'],
  [['search', 'x', '--type', 'y'], 'Unknown type "y"'],
  [['search', 'x', '--decision', 'y'], 'Unknown decision "y"'],
  [['search', 'x', '--since', 'y'], '--since takes'],
  [['search', 'x', '--database', 'postgres://db.example.com/a?sslmode=disable'], 'unencrypted'],
  [
    ['search', 'x', '--database', 'postgres://127.0.0.1:1/a'],
    "Can't use postgres://127.0.0.1:1/a: connect ECONNREFUSED",
  ],
  [['status', 'a'], 'Unexpected argument "a"'],
])('%j says what is wrong', async (args, why) => {
  vi.stubEnv('HOOKLINE_HOME', testMachine().home.paths.root);
  vi.stubEnv('HOOKLINE_FLEET_DATABASE', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const error: unknown = await fleet.run(args).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain(why);
  expect(JSON.stringify(error) + String(error)).not.toContain('s3cret');
});

test('a database that no server has written to is said', async () => {
  const { url } = await freshDatabase();
  await expect(fleet.run(['search', 'x', '--database', url])).rejects.toThrow('has no fleet archive');
});

test('a read-only login can search, and a login without rights gets an error', async () => {
  const { url, open } = await freshDatabase();
  const db = await open();
  await prepareArchive(db, 'test');
  await db.exec("CREATE ROLE reader LOGIN PASSWORD 'r3ad'");
  const reading = url.replace(/\/\/[^@]+@/, '//reader:r3ad@');
  await expect(fleet.run(['search', 'x', '--database', reading])).rejects.toMatchObject({
    message: expect.stringMatching(
      /^Can't use postgres:\/\/reader@.*: permission denied for schema hookline\.$/,
    ),
    hint: expect.stringContaining('USAGE on schema hookline'),
  });
  await db.exec(
    'GRANT USAGE ON SCHEMA hookline TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA hookline TO reader',
  );
  expect(await said(0, 'search', 'x', '--database', reading)).toBe('No matches in the archive.');
  await db.exec('DROP OWNED BY reader; DROP ROLE reader');
});

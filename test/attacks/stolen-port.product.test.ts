import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/client.ts';
import { apiSocketPath, foreignSocketProblem } from '../../src/wire/socket-path.ts';
import { scratchProduct, until } from '../faults/product.ts';
import { scratchHome } from '../support/daemon/daemon.ts';
import { isRunning } from '../support/processes.ts';

/** A process of another user on this machine that answers on a port as a daemon would. */
async function impostor(
  daemon: object,
): Promise<{ readonly http: string; readonly asked: readonly IncomingHttpHeaders[] }> {
  const asked: IncomingHttpHeaders[] = [];
  const answer = JSON.stringify({
    daemon,
    events: 0,
    rules: 0,
    ruleProblems: [],
    pending: [],
    recent: [],
    path: '/login?code=x',
  });
  const server = createServer((request, response) => {
    asked.push(request.headers);
    response.setHeader('content-type', 'application/json').end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { http: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, asked };
}

test('a process that takes the port of a crashed daemon learns nothing and is not trusted', async () => {
  const product = scratchProduct();
  await product.up();
  const daemon = JSON.parse(readFileSync(product.paths.daemon, 'utf8'));
  const token = readFileSync(product.paths.token, 'utf8');
  process.kill(daemon.pid, 'SIGKILL');
  await until('the daemon is gone', () => !isRunning(daemon.pid));
  // The home still names a port, and has the token. Others may want that very port, so here it is another one.
  expect(existsSync(product.paths.daemon)).toBe(true);
  const { http, asked } = await impostor(daemon);
  writeFileSync(product.paths.daemon, JSON.stringify({ ...daemon, http }));

  const status = await product.read(['status', '--json']);
  expect(JSON.parse(status.stdout).daemon).toBeNull();
  expect((await product.read(['approvals'])).stdout).toContain('the daemon is not running');
  expect(await product.run(['approve', 'x'])).toMatchObject({ code: 1 });
  expect(await product.run(['down'])).toMatchObject({ code: 0, stdout: 'The daemon was not running.\n' });
  expect(asked).toEqual([]);

  // The next one gets another port, another token, and the browser.
  const opened = await product.run(['open', '--json']);
  const { url }: { url: string } = JSON.parse(opened.stdout);
  expect(new URL(url).origin).not.toBe(http);
  expect(readFileSync(product.paths.token, 'utf8')).not.toBe(token);
  expect(asked).toEqual([]);
});

test('the token expires with its daemon', async () => {
  const product = scratchProduct();
  await product.up();
  expect(statSync(product.paths.token).mode & 0o777).toBe(0o600);
  await product.down();
  expect(existsSync(product.paths.token)).toBe(false);
});

/** Something that listens where a daemon would, and counts who comes. */
async function socketIn(home: string): Promise<{ readonly path: string; readonly came: () => number }> {
  const path = apiSocketPath(home);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let came = 0;
  const server = createSocketServer((socket) => {
    came += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return { path, came: () => came };
}

test('does not use a socket in a directory that others can write to', async () => {
  const paths = scratchHome();
  const { path, came } = await socketIn(paths.root);
  expect(await connect(paths)).toBeNull();
  expect(came()).toBe(1);
  for (const mode of [0o777, 0o770, 0o720]) {
    chmodSync(dirname(path), mode);
    expect(foreignSocketProblem(path)).toContain('can be written to by others');
    expect(await connect(paths)).toBeNull();
  }
  expect(came()).toBe(1);
});

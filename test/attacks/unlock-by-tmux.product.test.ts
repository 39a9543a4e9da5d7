import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { apiSocketPath } from '../../src/wire/socket-path.ts';
import { BIN, type Product, scratchProduct, until } from '../faults/product.ts';
import { hasTmux } from '../programs.ts';

// Every program of the user can read a multiplexer's screen and type into it. So an agent runs `hookline unlock` from a
// configuration file, reads the code from the pane, and poses as a person.

/** A multiplexer that runs a line from its configuration, and leaves in a file how that ended. */
function configured({ folder, env }: Product, line: string) {
  const config = join(folder, 'z.conf');
  const end = join(folder, 'end');
  const script = join(folder, 'run.sh');
  writeFileSync(script, `${line}\necho "exit $?" > "${end}.part"\nmv "${end}.part" "${end}"\n`);
  writeFileSync(config, `set-option -g remain-on-exit on\nnew-session -d -x 120 -y 20 'sh ${script}'\n`);
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', join(folder, 'tmux'), '-f', config, ...args], {
      env: { ...env, TERM: 'screen-256color' },
      encoding: 'utf8',
    });
  tmux('start-server');
  onTestFinished(() => {
    tmux('kill-server');
  });
  return {
    pane: () => tmux('capture-pane', '-p'),
    answer: (code: string) => void tmux('send-keys', code, 'Enter'),
    end: () => (existsSync(end) ? readFileSync(end, 'utf8').trim() : null),
  };
}

async function unlocked(product: Product): Promise<unknown> {
  const { stdout } = await product.read(['status', '--json']);
  return JSON.parse(stdout).unlockedUntil ?? null;
}

test.skipIf(!hasTmux)('an agent cannot read the code from a pane and type it', async () => {
  const product = scratchProduct();
  await product.up();
  const { pane, answer, end } = configured(product, `"${process.execPath}" "${BIN}" unlock`);
  const codeIn = () => /Type (\d+) to pause/.exec(pane())?.[1];
  await until('it asks or ends', () => codeIn() !== undefined || end() !== null);
  const code = codeIn();
  if (code !== undefined) answer(code);
  await until('it ends', () => end() !== null);
  expect([end(), code]).toEqual(['exit 1', undefined]);
  expect(pane()).toContain('ssh -t HOST hookline unlock');
  expect(await unlocked(product)).toBeNull();
  const attempts = (await product.events()).filter(({ source }) => source === 'hookline');
  expect(attempts.at(-1)).toMatchObject({
    type: 'notification',
    response: { decision: 'deny', reason: expect.stringContaining('through tmux') },
  });
});

test.skipIf(!hasTmux)('nor can its program ask the daemon from there', async () => {
  const product = scratchProduct();
  await product.up();
  const program = join(product.folder, 'ask.mjs');
  writeFileSync(
    program,
    `import { request } from 'node:http';
const sent = request({ socketPath: ${JSON.stringify(apiSocketPath(product.paths.root))}, path: '/api/unlock', method: 'POST' }, (response) =>
  response.resume().on('end', () => process.exit(response.statusCode === 200 ? 0 : 3)));
sent.end('{"minutes":5}');
`,
  );
  const { end } = configured(product, `"${process.execPath}" "${program}"`);
  await until('it ends', () => end() !== null);
  expect(end()).toBe('exit 3');
  expect(await unlocked(product)).toBeNull();
});

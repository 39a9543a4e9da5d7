import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import { isObject } from '../../src/model/json.ts';
import { socketPath } from '../../src/wire/socket-path.ts';
import { ask } from '../reliability/ask.js';
import { scratchProduct } from './product.ts';

/** What a payload may name in the place of a file or a directory. */
function strangePaths(folder: string): readonly string[] {
  const at = (name: string) => join(folder, name);
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync(at('loop'), at('loop'));
  writeFileSync(at('sparse'), '');
  truncateSync(at('sparse'), 2 ** 40);
  // The system calls the last but one a regular file, of which a reader waits for the next message of the kernel.
  return [at('pipe'), at('loop'), at('sparse'), '/dev/zero', '/proc/kmsg', `/${'x/'.repeat(50_000)}`];
}

const NAMES_PATH = /path|file|dir|cwd|root/i;
const isPath = (text: string) => text.length < 300 && /^(?:\/|~|\.\/|file:)[^\n]*$/.test(text);

/** With that in every field that names a path. */
function naming(path: string, value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => naming(path, one, key));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, naming(path, one, name)]));
  const isNamed = NAMES_PATH.test(key) && (value === null || typeof value === 'string');
  return isNamed || (typeof value === 'string' && isPath(value)) ? path : value;
}

interface Payload {
  readonly agent: string;
  readonly event: string;
  readonly said: unknown;
}

/** One of each event of each agent, as it was captured. */
function payloads(): readonly Payload[] {
  return [...AGENTS.keys()].flatMap((agent) => {
    const folder = new URL(`../../src/agents/${agent}/fixtures/`, import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('in.json'))
      .sort();
    const firsts = new Map(files.toReversed().map((file) => [file.split('/')[0] ?? '', file]));
    return [...firsts].map(([event, file]) => ({
      agent,
      event,
      said: JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
    }));
  });
}

// A daemon that waited for the other end of a pipe, or read what has no end, would not answer before the test is over.
test.skipIf(process.platform === 'win32')(
  'no path in any field of any agent blocks the daemon',
  { timeout: 300_000 },
  async () => {
    const product = scratchProduct();
    await product.up();
    const daemon = await product.daemonPid();
    const unanswered: string[] = [];
    for (const path of strangePaths(product.folder))
      for (const [at, { agent, event, said }] of payloads().entries()) {
        const id = `${agent}-${event}-${at}-${path.slice(0, 40)}`;
        const call = { request_id: id, ts: Date.now(), agent, event, accepts: ['hold_ms', 'error'] };
        const env = { CLAUDE_PROJECT_DIR: path, CLAUDE_ENV_FILE: path };
        const line = `${JSON.stringify({ ...call, env, payload: naming(path, said) })}\n`;
        if ((await ask(socketPath(product.paths.root), id, line, 60_000)) === null) unanswered.push(id);
      }
    expect(unanswered).toEqual([]);
    expect(await product.daemonPid()).toBe(daemon);
  },
);

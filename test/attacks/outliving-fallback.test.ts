import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { fallbackInThread, whenOrphaned } from '../../src/forwarder/fallback-thread.ts';
import { scratchFolder } from '../../src/testing/scratch.ts';
import { bashPayload, FORWARDERS, type Product, scratchProduct } from '../faults/product.ts';

// Without a daemon the forwarder starts Node to judge the call. That one had no deadline, and went on at full speed when
// the agent had long ended its forwarder.

vi.setConfig({ testTimeout: 120_000 });

const CALL = {
  home: '/nowhere',
  requestId: 'r',
  agent: 'claude',
  event: null,
  env: {},
  stdin: new Uint8Array(),
  ts: 0,
};

/** A thread that does this instead of judging the call. */
function thread(code: string): URL {
  const file = join(scratchFolder(), 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';\nconst say = (m) => parentPort.postMessage(m);\n${code}`,
  );
  return pathToFileURL(file);
}

const ANSWER = `say({ type: 'answer', answer: { action: 'passthrough' } });`;

describe('a call that is judged without a daemon', () => {
  test.each([
    ['never ends', 'for (;;);', 'no answer within'],
    ['never answers', 'setInterval(() => {}, 1000);', 'no answer within'],
    ['ends without an answer', '', 'it ended before it answered'],
    ['crashes', 'throw new Error("on purpose");', 'on purpose'],
  ])('and %s is a failure in time', async (_, code, message) => {
    await expect(fallbackInThread(CALL, { script: thread(code), deadlineMs: 1_500 })).rejects.toThrow(
      message,
    );
  });

  test('has more time where a hook needs it', async () => {
    const script = thread(`say({ type: 'hold', ms: 60_000 }); setTimeout(() => { ${ANSWER} }, 600);`);
    expect(await fallbackInThread(CALL, { script, deadlineMs: 500 })).toEqual({ action: 'passthrough' });
  });
});

test('a process without its parent notices; with it, it goes on', async () => {
  let parent = 7;
  const orphaned = vi.fn();
  vi.useFakeTimers();
  try {
    whenOrphaned(orphaned, () => parent);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(orphaned).not.toHaveBeenCalled();
    parent = 1;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(orphaned).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

/** A hook that says which process it runs in, and then never ends. */
function endlessHook({ paths, folder }: Product): string {
  const proof = join(folder, 'pid');
  mkdirSync(paths.hooks, { mode: 0o700 });
  writeFileSync(
    join(paths.hooks, 'endless.mjs'),
    `import { writeFileSync } from 'node:fs';
import { defineHook } from 'hookline';
export default defineHook({
  on: 'before_tool',
  timeoutMs: 50_000,
  run() {
    writeFileSync(${JSON.stringify(proof)}, String(process.pid));
    for (;;);
  },
});
`,
  );
  return proof;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const closed = (child: ChildProcess) => new Promise((resolve) => child.on('close', resolve));

describe.skipIf(!FORWARDERS.includes('native'))('the native forwarder', () => {
  test.each(['SIGKILL', 'SIGTERM'] as const)('ended by %s takes its fallback along', async (signal) => {
    const product = scratchProduct();
    const proof = endlessHook(product);
    const forwarder = spawn(join(product.paths.bin, 'hookline-forward'), ['claude', 'PreToolUse'], {
      env: { ...product.env, HOOKLINE_NO_AUTOSTART: '1' },
      cwd: product.folder,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    forwarder.stdin?.end(bashPayload('ls'));
    await expect
      .poll(() => existsSync(proof) && readFileSync(proof, 'utf8'), { timeout: 60_000 })
      .toBeTruthy();
    const pid = Number(readFileSync(proof, 'utf8'));
    expect(pid).not.toBe(forwarder.pid);
    expect(isRunning(pid)).toBe(true);
    forwarder.kill(signal);
    await closed(forwarder);
    await expect.poll(() => isRunning(pid), { timeout: 60_000 }).toBe(false);
  });
});

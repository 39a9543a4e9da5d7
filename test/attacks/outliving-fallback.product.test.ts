import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { fallbackInThread, whenOrphaned } from '../../src/forwarder/fallback-thread.ts';
import { bashPayload, FORWARDERS, type Product, scratchProduct } from '../faults/product.ts';
import { stopClock } from '../support/clock.ts';
import { isRunning } from '../support/processes.ts';
import { scratchFolder } from '../support/scratch.ts';
import { until } from '../support/until.ts';

// Without a daemon the forwarder starts Node to judge the call. That one had no deadline, and went on at full speed when
// the agent had long ended its forwarder.

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
    `import fs from 'node:fs';\nimport { parentPort } from 'node:worker_threads';\nconst say = (m) => parentPort.postMessage(m);\n${code}`,
  );
  return pathToFileURL(file);
}

const SAY_STARTED = `fs.writeFileSync(new URL('./started', import.meta.url), '');`;
const ANSWER = `say({ type: 'answer', answer: { action: 'passthrough' } });`;

describe('a call that is evaluated without a daemon', () => {
  test.each([
    ['never ends', 'for (;;);', 'no answer within'],
    ['never answers', 'setInterval(() => {}, 1000);', 'no answer within'],
    ['ends without an answer', '', 'it exited before it answered'],
    ['crashes', 'throw new Error("on purpose");', 'on purpose'],
  ])('%s ends as a failure in time', async (_, code, message) => {
    const clock = stopClock();
    const script = thread(`${SAY_STARTED}\n${code}`);
    const judged = expect(fallbackInThread(CALL, { script, deadlineMs: 1_500 })).rejects.toThrow(message);
    await until(() => existsSync(new URL('started', script)));
    if (message === 'no answer within') await clock.advance(1_500);
    await judged;
  });

  test('gets more time if a hook needs it', async () => {
    const clock = stopClock();
    const script = thread(
      `say({ type: 'hold', ms: 60_000 });
${SAY_STARTED}
const answered = setInterval(() => {
  if (!fs.existsSync(new URL('./go', import.meta.url))) return;
  clearInterval(answered);
  ${ANSWER}
}, 5);`,
    );
    const judged = fallbackInThread(CALL, { script, deadlineMs: 500 });
    await until(() => existsSync(new URL('started', script)));
    await clock.advance(60_000);
    writeFileSync(new URL('go', script), '');
    expect(await judged).toEqual({ action: 'passthrough' });
  });
});

test('a process notices that its parent exited, and goes on while it runs', async () => {
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

/** A forwarder whose fallback runs the hook. On a busy machine a hook may not be loaded in time: then the next one. */
async function atItsHook({ paths, env, folder }: Product, proof: string): Promise<ChildProcess> {
  const start = () => {
    const forwarder = spawn(join(paths.bin, 'hookline-forward'), ['claude', 'PreToolUse'], {
      env: { ...env, HOOKLINE_NO_AUTOSTART: '1' },
      cwd: folder,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    forwarder.stdin?.end(bashPayload('ls'));
    forwarder.stderr?.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    return forwarder;
  };
  let said = '';
  let forwarder = start();
  await until(() => {
    if (existsSync(proof) && readFileSync(proof, 'utf8') !== '') return true;
    if (forwarder.exitCode === null) return false;
    expect(said).toContain('was not loaded within');
    said = '';
    forwarder = start();
    return false;
  });
  return forwarder;
}

const closed = (child: ChildProcess) => new Promise((resolve) => child.on('close', resolve));

describe.skipIf(!FORWARDERS.includes('native'))('the native forwarder', () => {
  test.each(['SIGKILL', 'SIGTERM'] as const)('takes its fallback along when ended by %s', async (signal) => {
    const product = scratchProduct();
    const proof = endlessHook(product);
    const forwarder = await atItsHook(product, proof);
    const pid = Number(readFileSync(proof, 'utf8'));
    expect(pid).not.toBe(forwarder.pid);
    expect(isRunning(pid)).toBe(true);
    forwarder.kill(signal);
    await closed(forwarder);
    await until(() => !isRunning(pid));
  });
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Daemon, runDaemon } from '../../../src/daemon/run-daemon.ts';
import { changeConfirmed } from '../../../src/home/confirmed/pending.ts';
import { type HomePaths, homePaths } from '../../../src/home/paths.ts';
import type { Call } from '../../../src/model/native.ts';
import { READING_MS } from '../../../src/rules/handler.ts';
import { FIRST_REPLY_MS } from '../../../src/wire/limits.ts';
import { callWith } from '../engine.ts';
import { scratchFolder } from '../scratch.ts';
import { until } from '../until.ts';

export { until };

/** A home of its own for a test, with a port of its own. */
export function scratchHome(config = ''): HomePaths {
  const folder = scratchFolder();
  const paths = homePaths(join(folder, 'home'));
  mkdirSync(paths.rules, { recursive: true });
  writeFileSync(paths.config, config || 'http: {port: 0}\n');
  return paths;
}

/** A daemon in this process, gone with the test. */
export async function startDaemon(
  paths: HomePaths,
  parts?: Parameters<typeof runDaemon>[1],
): Promise<Daemon & { readonly token: string }> {
  const daemon = await runDaemon(paths, parts);
  onTestFinished(() => daemon.stop());
  return { ...daemon, token: readFileSync(paths.token, 'utf8').trim() };
}

/** Changes the settings as a person does, who agrees to what that weakens. */
export function changeSettings({ home }: Daemon, text: string): void {
  changeConfirmed(home.paths, home.confirmed, () => writeFileSync(home.paths.config, text));
}

/** An agent wants to run a command, now. */
export function bashCall(command: string, more: object = {}): Call {
  const bash = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } };
  return callWith('claude', { session_id: 's1', cwd: '/', ...bash, ...more }, { receivedAt: Date.now() });
}

interface Line {
  readonly [key: string]: unknown;
}

/** A connection to a daemon's socket that keeps every line it gets. */
interface Wire {
  readonly socket: Socket;
  readonly lines: Line[];
  send(text: string | Uint8Array): void;
  /** The first lines, once there are so many. */
  got(count: number): Promise<readonly Line[]>;
  readonly closed: Promise<void>;
}

export function openWire(path: string): Wire {
  const socket = connect({ path, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const lines: Line[] = [];
  let rest = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    // On a busy machine a daemon says that it has the call: that is not part of what is tested.
    const isBusy = ({ hold_ms }: Line) => hold_ms === FIRST_REPLY_MS || hold_ms === READING_MS;
    lines.push(...parts.map((part): Line => JSON.parse(part)).filter((line) => !isBusy(line)));
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on('end', resolve);
    socket.on('close', () => resolve());
  });
  return {
    socket,
    lines,
    send: (text) => void socket.write(text),
    got: async (count) => {
      await until(() => lines.length >= count);
      return lines.slice(0, count);
    },
    closed,
  };
}

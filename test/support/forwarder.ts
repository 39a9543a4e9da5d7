import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';
import { takeLock } from '../../src/home/daemon/lock.ts';
import { homePaths } from '../../src/home/paths.ts';
import type { NativeAnswer } from '../../src/model/native.ts';
import { socketPath } from '../../src/wire/socket-path.ts';

/** The native forwarder of the last build, if there is one. */
export const builtNative: string = fileURLToPath(new URL('../../dist/bin/hookline-forward', import.meta.url));

/** Stands in for the in-process evaluation: writes down what it was called with, answers what the test left. */
const FALLBACK = `
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
exports.fallback = async (call) => {
  const stdin = { length: call.stdin.length, head: Buffer.from(call.stdin).toString('latin1', 0, 1000) };
  appendFileSync(call.home + '/fallback.jsonl', JSON.stringify({ ...call, stdin }) + '\\n');
  if (existsSync(call.home + '/fallback-hangs')) await new Promise((resolve) => setTimeout(resolve, 600_000));
  const answer = call.home + '/fallback-answer.json';
  if (!existsSync(answer)) throw new Error('no answer\\nat all');
  return JSON.parse(readFileSync(answer, 'utf8'));
};
`;

/** A dist folder with the real JavaScript forwarder and a fallback that only takes notes. */
export async function buildScratchDist(folder: string): Promise<void> {
  const options = { config: false, outDir: folder, platform: 'node', dts: false, clean: false } as const;
  await build({
    ...options,
    entry: { forward: fileURLToPath(new URL('../../src/forwarder/forward.ts', import.meta.url)) },
    outExtensions: () => ({ js: '.cjs' }),
    format: 'cjs',
    logLevel: 'silent',
  });
  await build({
    ...options,
    entry: {
      'fallback-worker': fileURLToPath(new URL('../../src/forwarder/fallback-worker.ts', import.meta.url)),
    },
    outExtensions: () => ({ js: '.cjs' }),
    format: 'cjs',
    logLevel: 'silent',
  });
  writeFileSync(join(folder, 'fallback.cjs'), FALLBACK);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
}

interface FallbackNote {
  readonly requestId: string;
  readonly home: string;
  readonly agent: string;
  readonly event: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly ts: number;
  readonly stdin: { readonly length: number; readonly head: string };
}

/** How often and with what the fallback of this home was called. */
export function fallbackNotes(home: string): FallbackNote[] {
  const file = join(home, 'fallback.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): FallbackNote => JSON.parse(line));
}

export function setFallbackAnswer(home: string, answer: NativeAnswer): void {
  writeFileSync(join(home, 'fallback-answer.json'), JSON.stringify(answer));
}

/** From then on the fallback takes longer than it may. */
export function hangFallback(home: string): void {
  writeFileSync(join(home, 'fallback-hangs'), '');
}

export interface FakeDaemon {
  /** Every request line as it came. */
  readonly lines: string[];
  close(): Promise<void>;
}

/** Listens where the daemon of a home would, and has its lock; what it does with a request line is up to the test. */
export async function fakeDaemonOf(
  home: string,
  onLine: (requestId: string, socket: Socket) => void,
): Promise<FakeDaemon> {
  const lock = takeLock(homePaths(home).lock);
  const daemon = await fakeDaemon(socketPath(home), onLine);
  return {
    ...daemon,
    async close() {
      await daemon.close();
      lock?.release();
    },
  };
}

/** Listens on a socket. */
export async function fakeDaemon(
  socketFile: string,
  onLine: (requestId: string, socket: Socket) => void,
): Promise<FakeDaemon> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  mkdirSync(dirname(socketFile), { recursive: true, mode: 0o700 });
  const server = createServer((socket) => {
    sockets.add(socket);
    const parts: Buffer[] = [];
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      parts.push(chunk);
      if (chunk.at(-1) !== 10) return;
      const line = Buffer.concat(parts.splice(0)).toString('utf8').slice(0, -1);
      lines.push(line);
      onLine(JSON.parse(line).request_id, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(socketFile, resolve));
  return {
    lines,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a forwarder as agents do. */
export function runForwarder(
  program: string,
  args: readonly string[],
  stdin: Uint8Array,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(program, args, { env: { PATH: process.env.PATH, ...env } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk) => out.push(chunk));
    child.stderr?.on('data', (chunk) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
  });
}

import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import type { Talk } from '../client.ts';
import type { Finished } from '../process.ts';

const Line = v.looseObject({
  type: v.string(),
  id: v.optional(v.string()),
  error: v.optional(v.unknown()),
  params: v.optional(v.looseObject({ notification: v.optional(v.looseObject({ type: v.string() })) })),
});
type Notification = NonNullable<NonNullable<v.InferOutput<typeof Line>['params']>['notification']>;

const VERSIONS = { jsonrpc: '2.0', factoryApiVersion: '1.0.0', factoryProtocolVersion: '1.220.0' };

/** One turn as an editor would have it: `droid exec` itself asks no hook about the prompt (0.225.2). */
export const talk: Talk = (program, prompt, { trustShell, resume }, { cwd, env }) => {
  const args = ['exec', '--input-format', 'stream-jsonrpc', '-o', 'stream-jsonrpc', '-m', 'custom:scripted'];
  const child = spawn(program, args, { cwd, env, detached: true });
  const said: string[] = [];
  const errors: string[] = [];
  const waiting = new Map<string, (answer: unknown) => void>();
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ ...VERSIONS, ...message })}\n`);
  const ask = (method: string, params: object) =>
    new Promise((answered) => {
      const id = String(waiting.size + 1);
      waiting.set(id, answered);
      send({ type: 'request', id, method, params });
    });
  let rested = () => {};
  const hear = (notification: Notification) => {
    if (notification.type === 'droid_working_state_changed' && notification.newState === 'idle') rested();
    else said.push(JSON.stringify(notification));
  };
  const read = (text: string) => {
    const line = v.safeParse(v.pipe(v.string(), v.parseJson(), Line), text);
    if (!line.success) return;
    const { type, id = '', error, params } = line.output;
    if (type === 'response') waiting.get(id)?.(null);
    if (type === 'response' && error !== undefined) errors.push(JSON.stringify(error));
    // Nobody is there to be asked.
    if (type === 'request') send({ type: 'response', id, result: { selectedOption: 'cancel' } });
    if (params?.notification) hear(params.notification);
  };
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) read(line);
  });
  child.stderr.on('data', (chunk: Buffer) => errors.push(String(chunk)));
  child.stdin.on('error', () => {});
  const ended = new Promise<Finished>((resolve, reject) => {
    const deadline = setTimeout(() => {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      reject(new Error(`droid did not end: ${said.slice(-5).join('\n')} ${errors.join('\n')}`));
    }, 100_000);
    child.on('close', (code) => {
      clearTimeout(deadline);
      resolve({ code, stdout: said.join('\n'), stderr: errors.join('\n') });
    });
  });
  const converse = async () => {
    const last = resume ? lastSession(env.HOME ?? '') : null;
    const settings = {
      modelId: 'custom:scripted',
      autonomyLevel: trustShell ? 'high' : 'off',
      interactionMode: 'auto',
    };
    if (last === null) await ask('droid.initialize_session', { machineId: 'test', cwd, ...settings });
    else await ask('droid.load_session', { sessionId: last });
    const idle = new Promise<void>((resolve) => {
      rested = resolve;
    });
    await ask('droid.add_user_message', { text: prompt });
    await idle;
    await ask('droid.close_session', {});
    child.stdin.end();
  };
  converse().catch((error) => errors.push(String(error)));
  return ended;
};

function lastSession(home: string): string | null {
  const folder = join(home, '.factory', 'sessions');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  return files[0] === undefined ? null : basename(files[0], '.jsonl');
}

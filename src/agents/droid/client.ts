import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import type { Client, Talk } from '../../sandbox/client.ts';
import { startChatServer } from '../../sandbox/models/chat-completions.ts';
import type { Finished } from '../../sandbox/process.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };

const Line = v.looseObject({
  type: v.string(),
  id: v.optional(v.string()),
  error: v.optional(v.unknown()),
  params: v.optional(v.looseObject({ notification: v.optional(v.looseObject({ type: v.string() })) })),
});
type Line = v.InferOutput<typeof Line>;

const VERSIONS = { jsonrpc: '2.0', factoryApiVersion: '1.0.0', factoryProtocolVersion: '1.220.0' };
const ARGS = ['exec', '--input-format', 'stream-jsonrpc', '-o', 'stream-jsonrpc', '-m', 'custom:scripted'];
const DEADLINE_MS = 100_000;

/** One turn as an editor would have it: `droid exec` itself asks no hook about the prompt (0.225.2). */
const talk: Talk = (program, prompt, { trustShell, resume }, { cwd, env, signal }) => {
  const { ask, idle, said, errors, child } = converse(spawn(program, ARGS, { cwd, env, detached: true }));
  const work = async () => {
    const last = resume ? lastSession(env.HOME ?? '') : null;
    const settings = {
      modelId: 'custom:scripted',
      autonomyLevel: trustShell ? 'high' : 'off',
      interactionMode: 'auto',
    };
    if (last === null) await ask('droid.initialize_session', { machineId: 'test', cwd, ...settings });
    else await ask('droid.load_session', { sessionId: last });
    const isIdle = idle();
    await ask('droid.add_user_message', { text: prompt });
    await isIdle;
    await ask('droid.close_session', {});
    child.stdin.end();
  };
  work().catch((error) => errors.push(String(error)));
  return ended(child, said, errors, signal);
};

const client: Client = {
  id: 'droid',
  pin,
  contract,
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'],
  tellsFailure: false,
  // `droid exec` asks no hook about the prompt (0.225.2).
  promptUnseen: true,
  prepare: async ({ home }, model) => {
    await mkdir(join(home, '.factory'), { recursive: true });
    await writeFile(join(home, '.factory', 'settings.json'), settingsFor(model.url));
  },
  startModel: startChatServer,
  scripted: () => ({
    env: {
      FACTORY_AIRGAP_ENABLED: 'true',
      FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false',
      FACTORY_DISABLE_KEYRING: 'true',
    },
    args: ['-m', 'custom:scripted'],
  }),
  trusting: ['--auto', 'high'],
  turn: (prompt, { trustShell }) => ['exec', ...(trustShell ? client.trusting : []), prompt],
  talk,
  shell: (command) => ({
    tool: 'Execute',
    input: { command, summary: 'A step', riskLevel: 'low', riskLevelReason: 'scripted' },
  }),
  files: {
    absolute: true,
    read: (path) => ({ tool: 'Read', input: { file_path: path } }),
    edit: (path, from, to) => ({ tool: 'Edit', input: { file_path: path, old_str: from, new_str: to } }),
  },
};

function settingsFor(url: string): string {
  const model = {
    model: 'scripted',
    displayName: 'Scripted',
    baseUrl: `${url}/v1`,
    apiKey: 'not-a-key',
    provider: 'generic-chat-completion-api',
    maxOutputTokens: 4096,
  };
  return JSON.stringify({ customModels: [model], cloudSessionSync: false, enableDroidShield: false });
}

/** The client's own protocol over its pipes. */
function converse(child: ChildProcessWithoutNullStreams) {
  const said: string[] = [];
  const errors: string[] = [];
  const waiting = new Map<string, () => void>();
  let becameIdle = () => {};
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ ...VERSIONS, ...message })}\n`);
  const hear = ({ type, id = '', error, params }: Line) => {
    if (type === 'response') waiting.get(id)?.();
    if (type === 'response' && error !== undefined) errors.push(JSON.stringify(error));
    // The run is unattended.
    if (type === 'request') send({ type: 'response', id, result: { selectedOption: 'cancel' } });
    const { notification } = params ?? {};
    if (notification?.type === 'droid_working_state_changed' && notification.newState === 'idle')
      becameIdle();
    else if (notification) said.push(JSON.stringify(notification));
  };
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = v.safeParse(v.pipe(v.string(), v.parseJson(), Line), text);
    if (line.success) hear(line.output);
  });
  child.stderr.on('data', (chunk: Buffer) => errors.push(String(chunk)));
  child.stdin.on('error', () => {});
  const ask = (method: string, params: object) =>
    new Promise<void>((answered) => {
      const id = String(waiting.size + 1);
      waiting.set(id, answered);
      send({ type: 'request', id, method, params });
    });
  const idle = () =>
    new Promise<void>((resolve) => {
      becameIdle = resolve;
    });
  return { ask, idle, said, errors, child };
}

function ended(
  child: ChildProcessWithoutNullStreams,
  said: readonly string[],
  errors: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const kill = () => {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      reject(new Error(`droid did not end: ${said.slice(-5).join('\n')} ${errors.join('\n')}`));
    };
    const deadline = setTimeout(kill, DEADLINE_MS);
    signal?.addEventListener('abort', kill);
    child.on('close', (code) => {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', kill);
      resolve({ code, stdout: said.join('\n'), stderr: errors.join('\n') });
    });
  });
}

function lastSession(home: string): string | null {
  const folder = join(home, '.factory', 'sessions');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  return files[0] === undefined ? null : basename(files[0], '.jsonl');
}

export default client;

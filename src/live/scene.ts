import { delimiter, dirname } from 'node:path';
import type { Client, TurnOptions } from '../sandbox/client.ts';
import { turnOf } from '../sandbox/client.ts';
import type { Finished } from '../sandbox/process.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.ts';
import type { ModelServer, Step } from '../sandbox/script.ts';
import { type Hookline, hooklineIn } from './hookline.ts';
import { useJavaScriptForwarder } from './javascript-forwarder.ts';

/** What a scenario starts from. */
export interface Plan extends SandboxOptions {
  /** A function where steps name files by their full paths. */
  readonly script: readonly Step[] | ((sandbox: Sandbox) => readonly Step[]);
  /** The rule file, as a user would write it. */
  readonly rules?: string;
  /** Settings of Hookline, beside those of every sandbox. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** For the client and everything it starts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Use the forwarder of machines without a native one; otherwise it is the best that `setup` finds. */
  readonly javascriptForwarder?: boolean;
  /** What the user's machine has before Hookline is set up. */
  prepare?(sandbox: Sandbox): Promise<void>;
  /** What becomes of the machine after that. */
  afterSetup?(sandbox: Sandbox): Promise<void>;
}

/** A client with Hookline set up by its own command and its daemon running. */
export interface Scene {
  readonly sandbox: Sandbox;
  readonly hookline: Hookline;
  readonly model: ModelServer;
  /** Lets the client work on a prompt until it ends by itself. */
  turn(prompt: string, options?: TurnOptions): Promise<Finished>;
}

/** Runs a scenario with an agent's program and returns the result. Leaves nothing behind. */
export async function playScene<T>(
  client: Client,
  program: string,
  plan: Plan,
  act: (scene: Scene) => Promise<T>,
): Promise<T> {
  const sandbox = await openSandbox(plan);
  const model = await modelFor(client, plan, sandbox).catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  const path = { PATH: [dirname(program), process.env.PATH ?? ''].join(delimiter) };
  const hookline = hooklineIn(sandbox, path);
  const sweep = async () => {
    await hookline.end().finally(model.close).finally(sandbox.close);
  };
  let result: T;
  try {
    await client.prepare?.(sandbox, model);
    await plan.prepare?.(sandbox);
    if (plan.config) await hookline.writeConfig(plan.config);
    if (plan.rules !== undefined) await hookline.writeRules(plan.rules);
    await hookline.run(['setup', client.id, '--yes']);
    if (plan.javascriptForwarder) await useJavaScriptForwarder(sandbox);
    await plan.afterSetup?.(sandbox);
    await hookline.run(['up']);
    const stage: Stage = { program, sandbox, model, env: { ...path, ...plan.env } };
    const turn: Scene['turn'] = (prompt, options = {}) => playTurn(client, stage, prompt, options);
    result = await act({ sandbox, hookline, model, turn });
  } catch (error) {
    // What went wrong first tells more than what then could not be swept up.
    await sweep().catch(() => {});
    throw error;
  }
  await sweep();
  return result;
}

async function modelFor(client: Client, { script }: Plan, sandbox: Sandbox): Promise<ModelServer> {
  return await client.startModel(typeof script === 'function' ? script(sandbox) : script);
}

interface Stage {
  readonly program: string;
  readonly sandbox: Sandbox;
  readonly model: ModelServer;
  readonly env: Readonly<Record<string, string>>;
  /** Instead of the project. */
  readonly cwd?: string;
}

/** Lets a client work on a prompt until it ends by itself. */
export function playTurn(
  client: Client,
  { program, sandbox, model, env: more, cwd = sandbox.project }: Stage,
  prompt: string,
  options: TurnOptions,
): Promise<Finished> {
  const { args, env: scripted } = turnOf(client, prompt, options, model);
  const env = { ...scripted, ...more };
  if (client.talk) {
    const where = { cwd, env: { ...sandbox.env, ...env }, ...(sandbox.signal && { signal: sandbox.signal }) };
    return client.talk(program, prompt, options, where);
  }
  // A client that fires many events waits long for a daemon that hangs: once for each of them.
  return sandbox.run(program, args, { cwd, env, deadlineMs: 100_000 });
}

/** Hosts other than loopback that were asked for, but for those that a client cannot be told not to ask for. */
export function hostsWanted(
  { wanted }: Pick<Sandbox, 'wanted'>,
  clients: readonly Client[],
): readonly string[] {
  return wanted.filter((host) => !clients.some(({ callsHome }) => callsHome?.test(host)));
}

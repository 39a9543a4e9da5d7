import { delimiter, dirname } from 'node:path';
import { expect, inject, type TestAPI, test } from 'vitest';
import type { Client, TurnOptions } from './client.ts';
import { type Hookline, hooklineIn } from './hookline.ts';
import { useJavaScriptForwarder } from './javascript-forwarder.ts';
import type { Finished } from './process.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import type { ModelServer, Step } from './script.ts';

/** What a scenario starts from. */
export interface Plan {
  /** A function where steps name files by their full paths. */
  readonly script: readonly Step[] | ((sandbox: Sandbox) => readonly Step[]);
  /** The rule file, as a user would write it. */
  readonly rules?: string;
  /** For the client and everything it starts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Use the forwarder of machines without a native one; otherwise it is the best that `setup` finds. */
  readonly javascriptForwarder?: boolean;
  /** What the user's machine has before Hookline is set up. */
  prepare?(sandbox: Sandbox): Promise<void>;
}

/** A client with Hookline set up by its own command and its daemon running. */
export interface Scene {
  readonly sandbox: Sandbox;
  readonly hookline: Hookline;
  readonly model: ModelServer;
  /** Lets the client work on a prompt until it ends by itself. */
  turn(prompt: string, options?: TurnOptions): Promise<Finished>;
}

/** `test`, skipped where the client could not be installed, or does not have what is tested. */
export function testWith(client: Client, applies = true): ReturnType<TestAPI['skipIf']> {
  return test.skipIf(programOf(client) === null || !applies);
}

/** Plays a scenario, and afterwards checks what holds for each: nothing but loopback, no step too many. */
export async function play(client: Client, plan: Plan, act: (scene: Scene) => Promise<void>): Promise<void> {
  const program = programOf(client);
  if (program === null) throw new Error(`${client.id} is not installed`);
  const sandbox = await openSandbox();
  const { script } = plan;
  const model = await client.startModel(typeof script === 'function' ? script(sandbox) : script);
  const path = { PATH: [dirname(program), process.env.PATH ?? ''].join(delimiter) };
  const hookline = hooklineIn(sandbox, path);
  const sweep = async () => {
    await hookline.run(['down']).finally(model.close).finally(sandbox.close);
  };
  try {
    await client.prepare?.(sandbox, model);
    await plan.prepare?.(sandbox);
    if (plan.rules !== undefined) await hookline.writeRules(plan.rules);
    await hookline.run(['setup', client.id, '--yes']);
    if (plan.javascriptForwarder) await useJavaScriptForwarder(sandbox);
    await hookline.run(['up']);
    await act({
      sandbox,
      hookline,
      model,
      turn: (prompt, options = {}) => {
        const env = { ...path, ...client.environment(model), ...plan.env };
        return playTurn(client, { program, sandbox, model, env }, prompt, options);
      },
    });
    expectNoCalls(sandbox, [client]);
    expect(model.missingSteps, 'steps that the script does not have').toEqual([]);
  } catch (error) {
    // What went wrong first tells more than what then could not be swept up.
    await sweep().catch(() => {});
    throw error;
  }
  await sweep();
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
  { program, sandbox, model, env, cwd = sandbox.project }: Stage,
  prompt: string,
  options: TurnOptions,
): Promise<Finished> {
  if (client.talk) return client.talk(program, prompt, options, { cwd, env: { ...sandbox.env, ...env } });
  // A client that fires many events waits long for a daemon that hangs: once for each of them.
  return sandbox.run(program, client.turn(prompt, options, model), { cwd, env, deadlineMs: 100_000 });
}

/** Nothing asked for a host but loopback, except where a client cannot be told not to. */
export function expectNoCalls({ wanted }: Sandbox, clients: readonly Client[]): void {
  const isKnown = (host: string) => clients.some(({ callsHome }) => callsHome?.test(host));
  expect(
    wanted.filter((host) => !isKnown(host)),
    'hosts other than loopback',
  ).toEqual([]);
}

/** Several clients on one machine, with one Hookline. */
export interface SharedScene {
  readonly sandbox: Sandbox;
  readonly hookline: Hookline;
  /** For another program that shall find what the clients find. */
  readonly env: Readonly<Record<string, string>>;
  model(client: Client): ModelServer;
  turn(client: Client, prompt: string, options?: TurnOptions): Promise<Finished>;
}

/** Plays a scenario with several clients at once; each has a script of its own. */
export async function playTogether(
  plan: Pick<Plan, 'rules' | 'prepare'> & { readonly scripts: ReadonlyMap<Client, readonly Step[]> },
  act: (scene: SharedScene) => Promise<void>,
): Promise<void> {
  const sandbox = await openSandbox();
  const clients = [...plan.scripts.keys()];
  const programs = new Map(clients.map((client) => [client, programOf(client) ?? '']));
  const models = new Map<Client, ModelServer>();
  for (const [client, script] of plan.scripts) models.set(client, await client.startModel(script));
  const path = {
    PATH: [...new Set([...programs.values()].map(dirname)), process.env.PATH ?? ''].join(delimiter),
  };
  const hookline = hooklineIn(sandbox, path);
  const modelOf = (client: Client) => {
    const model = models.get(client);
    if (!model) throw new Error(`${client.id} has no part in this scene`);
    return model;
  };
  try {
    for (const client of clients) await client.prepare?.(sandbox, modelOf(client));
    await plan.prepare?.(sandbox);
    if (plan.rules !== undefined) await hookline.writeRules(plan.rules);
    for (const client of clients) await hookline.run(['setup', client.id, '--yes']);
    await hookline.run(['up']);
    await act({
      sandbox,
      hookline,
      env: path,
      model: modelOf,
      turn: (client, prompt, options = {}) => {
        const program = programs.get(client) ?? '';
        const model = modelOf(client);
        const env = { ...path, ...client.environment(model) };
        return playTurn(client, { program, sandbox, model, env }, prompt, options);
      },
    });
    expectNoCalls(sandbox, clients);
  } finally {
    await hookline.run(['down']).catch(() => {});
    for (const model of models.values()) await model.close();
    await sandbox.close();
  }
}

export function areInstalled(...clients: readonly Client[]): boolean {
  return clients.every((client) => programOf(client) !== null);
}

export function programOf(client: Client): string | null {
  return inject('programs')[client.id] ?? null;
}

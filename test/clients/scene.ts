import { delimiter, dirname } from 'node:path';
import { expect, inject, type TestAPI, test } from 'vitest';
import { type Hookline, hooklineIn } from '../../src/live/hookline.ts';
import { hostsWanted, type Plan, playScene, playTurn, type Scene } from '../../src/live/scene.ts';
import { packNames } from '../../src/rules/pack.ts';
import type { Client, TurnOptions } from '../../src/sandbox/client.ts';
import type { Finished } from '../../src/sandbox/process.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import type { ModelServer, Step } from '../../src/sandbox/script.ts';

/** `test`, skipped where the client could not be installed, or does not have what is tested. */
export function testWith(client: Client, applies = true): ReturnType<TestAPI['skipIf']> {
  return test.skipIf(programOf(client) === null || !applies);
}

/** The settings of a home with these packs alone. */
export function onlyPacks(...names: readonly string[]): Readonly<Record<string, unknown>> {
  const states = packNames().map((name) => [name, names.includes(name) ? 'on' : 'off']);
  return { packs: Object.fromEntries(states) };
}

export interface TestPlan extends Plan {
  /**
   * None unless given: to read all of them takes a daemon most of its start, and a hook without one most of its time.
   * What is about rules of a pack names it; one that expects no decision from packs uses the defaults.
   */
  readonly packs?: 'default' | readonly string[];
}

/** Plays a scenario, and afterwards checks what holds for each: nothing but loopback, no step too many. */
export async function play<T>(
  client: Client,
  { packs = [], ...plan }: TestPlan,
  act: (scene: Scene) => Promise<T>,
): Promise<T> {
  const program = programOf(client);
  if (program === null) throw new Error(`${client.id} is not installed`);
  const config = { ...(packs !== 'default' && onlyPacks(...packs)), ...plan.config };
  return await playScene(client, program, { ...plan, config }, async (scene) => {
    const result = await act(scene);
    expectNoCalls(scene.sandbox, [client]);
    expect(scene.model.missingSteps, 'steps that the script does not have').toEqual([]);
    return result;
  });
}

/** Nothing asked for a host but loopback, except where a client cannot be told not to. */
export function expectNoCalls(sandbox: Sandbox, clients: readonly Client[]): void {
  expect(hostsWanted(sandbox, clients), 'hosts other than loopback').toEqual([]);
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
    await hookline.writeConfig(onlyPacks());
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
        return playTurn(client, { program, sandbox, model: modelOf(client), env: path }, prompt, options);
      },
    });
    expectNoCalls(sandbox, clients);
  } finally {
    await hookline.end().catch(() => {});
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

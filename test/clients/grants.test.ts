import { existsSync } from 'node:fs';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { type Hookline, hooklineIn } from '../../src/live/hookline.ts';
import { playTurn } from '../../src/live/scene.ts';
import type { Client } from '../../src/sandbox/client.ts';
import { describeFinished } from '../../src/sandbox/process.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { installedClients } from './all.ts';
import { expectNoCalls, onlyPacks } from './scene.ts';

const CLIENTS = await installedClients();
const [first, ...others] = CLIENTS;
const programs = inject('programs');

const RULES = `
rules:
  - id: ask-touch
    command: touch
    ask: A person has to look at this.
`;

/** Lets a client try the command in a folder, and tells whether it ran. */
type Try = (client: Client, folder: string) => Promise<boolean>;

/** One Hookline with all clients set up by its own command. */
async function together(
  act: (hookline: Hookline, tries: Try, sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  const sandbox = await openSandbox();
  const folders = CLIENTS.map(({ id }) => dirname(programs[id] ?? ''));
  const path = { PATH: [...folders, process.env.PATH ?? ''].join(delimiter) };
  const hookline = hooklineIn(sandbox, path);
  const models = new Map(
    await Promise.all(
      CLIENTS.map(
        async (client) =>
          [client, await client.startModel([[client.shell('touch granted.txt')], 'Done.'])] as const,
      ),
    ),
  );
  const tries: Try = async (client, folder) => {
    const model = models.get(client);
    const program = programs[client.id];
    if (!model || !program) throw new Error(`${client.id} is not installed`);
    const made = join(folder, 'granted.txt');
    await rm(made, { force: true });
    const asked = model.requests.length;
    const stage = { program, sandbox, model, env: path, cwd: folder };
    const finished = await playTurn(client, stage, 'Make a file.', { trustShell: true });
    // A client that never got as far as the command has not been stopped by us.
    expect(
      model.requests.slice(asked).map(({ step }) => step),
      describeFinished(finished),
    ).toContain(1);
    return existsSync(made);
  };
  try {
    for (const [client, model] of models) await client.prepare?.(sandbox, model);
    await hookline.writeConfig(onlyPacks());
    await hookline.writeRules(RULES);
    for (const { id } of CLIENTS) await hookline.run(['setup', id, '--yes']);
    await hookline.run(['up']);
    await act(hookline, tries, sandbox);
    expectNoCalls(sandbox, CLIENTS);
  } finally {
    await hookline.end().catch(() => {});
    for (const model of models.values()) await model.close();
    await sandbox.close();
  }
}

test.skipIf(others.length === 0)(
  'a project grant from one client applies to the others there, nowhere else, and not after it is revoked',
  async () => {
    await together(async (hookline, tries, { project, home }) => {
      const elsewhere = join(dirname(home), 'elsewhere');
      await mkdir(elsewhere);
      expect(await realpath(elsewhere)).toBe(elsewhere);

      if (!first) throw new Error('no client');
      expect(await tries(first, project)).toBe(false);
      const [asked] = (await hookline.events()).filter(({ type }) => type === 'before_tool');
      expect(asked).toMatchObject({ source: first.id, response: { decision: 'ask' }, rules: ['ask-touch'] });
      const { stdout } = await hookline.run([
        'grants',
        'add',
        asked?.id ?? '',
        '--scope',
        'project',
        '--json',
      ]);
      const { id } = JSON.parse(stdout);

      for (const client of others) expect(await tries(client, project), client.id).toBe(true);
      for (const client of others.slice(0, 2)) expect(await tries(client, elsewhere), client.id).toBe(false);

      await hookline.run(['grants', 'revoke', id]);
      for (const client of CLIENTS) expect(await tries(client, project), client.id).toBe(false);
    });
  },
  900_000,
);

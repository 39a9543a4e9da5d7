import { existsSync, readdirSync } from 'node:fs';
import type { Client } from './client.ts';
import { areInstalled } from './scene.ts';

const HERE = new URL('.', import.meta.url);

/** Every client that has scenarios of its own here, can be run and could be installed, by name. */
export async function installedClients(): Promise<readonly Client[]> {
  const ids = readdirSync(HERE).filter((id) => existsSync(new URL(`${id}/client.ts`, HERE)) && hasTests(id));
  const clients = await Promise.all(ids.sort().map(clientOf));
  return clients.filter((client) => 'turn' in client && areInstalled(client));
}

function hasTests(id: string): boolean {
  return readdirSync(new URL(`${id}/`, HERE)).some((name) => name.endsWith('.test.ts'));
}

async function clientOf(id: string): Promise<Client> {
  const exported: Readonly<Record<string, Client>> = await import(`./${id}/client.ts`);
  const client = exported[id];
  if (!client) throw new Error(`${id}/client.ts exports no client of that name`);
  return client;
}

import { CLIENTS } from '../../src/agents/_clients.ts';
import type { Client } from '../../src/sandbox/client.ts';
import { areInstalled } from './scene.ts';

/** Every client that can be run and could be installed, by name. */
export async function installedClients(): Promise<readonly Client[]> {
  const clients = await Promise.all(Object.values(CLIENTS).map((load) => load()));
  return clients.filter((client) => areInstalled(client));
}

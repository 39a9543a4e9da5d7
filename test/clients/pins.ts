import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Pin } from '../../src/sandbox/install.ts';

const AGENTS = new URL('../../src/agents/', import.meta.url);

/** The pins of all agents, by id. */
export function allPins(): ReadonlyMap<string, Pin> {
  const ids = readdirSync(AGENTS).filter((id) => existsSync(new URL(`${id}/client.json`, AGENTS)));
  return new Map(ids.map((id) => [id, pinOf(id)]));
}

/** The pin in an agent's folder. */
function pinOf(id: string): Pin {
  return JSON.parse(readFileSync(new URL(`${id}/client.json`, AGENTS), 'utf8'));
}

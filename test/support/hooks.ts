import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENTS } from '../../src/agents/_registry.ts';
import type { Ask } from '../../src/hooks/hook.ts';
import type { HookPlaces } from '../../src/hooks/registry.ts';
import type { EventOf, HookEvent } from '../../src/model/events.ts';
import { scratchFolder } from './scratch.ts';

/** A scratch folder; `write` makes the folders it needs. */
export interface Scratch {
  readonly path: string;
  write(name: string, text: string): string;
  /** A program that `sh` runs. */
  script(name: string, body: string): string;
}

export function scratchFiles(): Scratch {
  const path = scratchFolder();
  const write = (name: string, text: string) => {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  return {
    path,
    write,
    script: (name, body) => {
      const file = write(name, `#!/bin/sh\n${body}\n`);
      chmodSync(file, 0o755);
      return file;
    },
  };
}

/** Code of a hook that takes far too much memory, and gives up before the machine has none left. */
export const HOARD = 'const all = []; while (all.length < 3_000) all.push(Buffer.alloc(1 << 20, 1));';

/** Where hooks are below a folder. */
export function placesIn(folder: string): HookPlaces {
  return {
    hooks: join(folder, 'hooks'),
    hooksFile: join(folder, 'hooks.yaml'),
    trust: join(folder, 'trust.json'),
    guardHooks: join(folder, 'guard-hooks.json'),
    lastGood: join(folder, 'last-good'),
  };
}

/** Asks a hook directly, as a handler would, with time to spare. */
export function askWith(budgetMs: number): Ask {
  return { budgetMs, leftMs: 60_000, hold: () => {}, log: () => {} };
}

/** The event that an agent's call of a canonical tool becomes. */
export function toolEvent(
  agent: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd = '/home/dev/shop',
): EventOf<'before_tool'> {
  const found = AGENTS.get(agent);
  if (!found) throw new Error(`no agent ${agent}`);
  const payload = found.toolPayload({ id: 'session', tool, input, cwd });
  const event = found.decode({ id: 'call', receivedAt: 1_700_000_000_000, event: null, payload, env: {} });
  if (event.type !== 'before_tool') throw new Error(`${event.type} is not before a tool`);
  return { ...event, projectId: cwd };
}

/** The event that a native payload becomes. */
export function eventOf(agent: string, payload: Readonly<Record<string, unknown>>): HookEvent {
  const found = AGENTS.get(agent);
  if (!found) throw new Error(`no agent ${agent}`);
  return found.decode({ id: 'call', receivedAt: 1_700_000_000_000, event: null, payload, env: {} });
}

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AGENTS } from '../agents/_registry.ts';
import type { EventOf, HookEvent } from '../model/events.ts';

/** A scratch folder; `write` makes the folders it needs. */
export interface Scratch {
  readonly path: string;
  write(name: string, text: string): string;
  /** A program that `sh` runs. */
  script(name: string, body: string): string;
  remove(): void;
}

export function scratchFolder(): Scratch {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-hooks-')));
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
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
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

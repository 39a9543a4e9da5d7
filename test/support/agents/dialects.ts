import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AGENTS } from '../../../src/agents/_registry.ts';
import type { Agent } from '../../../src/agents/agent.ts';
import type { Dialect } from '../../../src/agents/kit/dialect.ts';
import type { HookEvent } from '../../../src/model/events.ts';

/** An agent that others may write hooks for. */
export type DialectOwner = Agent & { readonly dialect: Dialect };
export const dialectOwners: readonly DialectOwner[] = [...AGENTS.values()].filter(
  (agent): agent is DialectOwner => agent.dialect !== undefined,
);

/** Every fixture of all agents, decoded. */
export const recorded: readonly {
  readonly name: string;
  readonly agent: Agent;
  readonly event: HookEvent;
}[] = [...AGENTS.values()].flatMap((agent) => {
  const folder = fileURLToPath(new URL(`../../../src/agents/${agent.id}/fixtures/`, import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('in.json'))
    .map((name) => {
      const payload: unknown = JSON.parse(readFileSync(folder + name, 'utf8'));
      const event = agent.decode({
        id: 'c',
        receivedAt: 1,
        event: name.split('/')[0] ?? null,
        payload,
        env: {},
      });
      return { name: `${agent.id} ${name}`, agent, event };
    });
});

import { randomUUID } from 'node:crypto';
import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { createNewFiles } from '../../engine/new-files.ts';
import { createProjectFinder } from '../../home/identity.ts';
import { HooklineError } from '../../model/errors.ts';
import { eventBase } from '../../model/event-base.ts';
import { EVENT_GROUPS, type HookEvent, isToolEvent } from '../../model/events.ts';
import { assertDescription, assertTool } from './checked-description.ts';
import { EVENT_DEFAULTS } from './event-defaults.ts';
import type { DescribedCall, DescribedEvent, DescribedOther, OtherType } from './event-description.ts';

const SESSION = 'session';

/** The event that is meant, and whose it is. Throws AGENT_UNKNOWN, DECODE_SHAPE, USAGE. */
export function eventFrom(described: DescribedEvent): { readonly agent: Agent; readonly event: HookEvent } {
  assertDescription(described);
  const agent = agentOf(described);
  const cwd = described.cwd ?? process.cwd();
  const event =
    'payload' in described
      ? decoded(agent, described.payload, described.event ?? null)
      : 'tool' in described
        ? callEvent(agent, described, cwd)
        : otherEvent(agent, described, cwd);
  if (!('payload' in described)) assertTool(event);
  const folder = event.cwd ?? cwd;
  return { agent, event: { ...event, projectId: event.projectId ?? createProjectFinder()(folder) } };
}

function agentOf(described: DescribedEvent): Agent {
  const id = described.agent ?? [...AGENTS.keys()][0] ?? '';
  const agent = AGENTS.get(id);
  if (agent) return agent;
  throw new HooklineError('AGENT_UNKNOWN', `Unknown agent "${id}".`, {
    hint: `Supported agents: ${[...AGENTS.keys()].join(', ')}.`,
  });
}

function decoded(agent: Agent, payload: unknown, event: string | null): HookEvent {
  return createNewFiles()(
    agent.decode({ id: randomUUID(), receivedAt: Date.now(), event, payload, env: {} }),
  );
}

/** As the agent would send it before the call; what comes later is put to that. */
function callEvent(agent: Agent, described: DescribedCall, cwd: string): HookEvent {
  const { tool, input, type = 'before_tool', response = null, error = null } = described;
  const before = decoded(agent, agent.toolPayload({ id: SESSION, tool, input, cwd }), null);
  if (!isToolEvent(before)) return before;
  const outcome = described.outcome ?? (error === null ? 'ok' : 'failed');
  switch (type) {
    case 'before_tool':
      return { ...before, type, tool: before.tool };
    case 'after_tool':
      return { ...before, type, tool: { ...before.tool, response, error, outcome, durationMs: null } };
    case 'permission_request':
      return { ...before, type, tool: before.tool, suggestions: [] };
    case 'permission_denied':
      return { ...before, type, tool: before.tool, reason: described.reason ?? '' };
  }
}

function otherEvent(agent: Agent, described: DescribedOther, cwd: string): HookEvent {
  const { agent: _, cwd: __, type: name, ...fields } = described;
  const type = typeOf(agent, name);
  const base = eventBase({
    id: randomUUID(),
    source: agent.id,
    sessionId: SESSION,
    timestamp: Date.now(),
    cwd,
  });
  // The fields are those of the type: the description says so, which the compiler cannot follow through two tables.
  return { ...base, ...EVENT_DEFAULTS[type], ...fields, type } as HookEvent;
}

/** Of a group, the type that this agent has. */
function typeOf(agent: Agent, name: DescribedOther['type']): OtherType {
  if (name !== 'turn_start' && name !== 'turn_end') return name;
  const types = EVENT_GROUPS[name];
  return types.find((type) => agent.supports[type]) ?? types[0];
}

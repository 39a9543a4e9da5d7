import * as v from 'valibot';
import { eventTypes, listOf, type When } from '../when.ts';
import type { Declared } from './protocol.ts';

const DEFAULT_TIMEOUT_MS = 5_000;

const words = v.union([v.string(), v.array(v.string())]);
const declaration = v.object({
  name: v.optional(v.pipe(v.string(), v.nonEmpty())),
  on: words,
  tool: v.optional(words),
  agent: v.optional(words),
  timeoutMs: v.optional(v.pipe(v.number(), v.gtValue(0))),
});

export interface Declaration {
  readonly name: string;
  readonly when: When;
  readonly timeoutMs: number;
}

/** Validates what a hook declares about itself. Throws a readable error. */
export function readDeclaration(declared: Declared, fallbackName: string): Declaration {
  const parsed = v.safeParse(declaration, declared);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new Error(`defineHook(): ${v.getDotPath(issue) ?? 'the hook'} is not ${issue.expected}`);
  }
  const { name, on, tool, agent, timeoutMs } = parsed.output;
  const events = eventTypes(listOf(on) ?? []);
  if ('unknown' in events) throw new Error(`defineHook(): unknown event "${events.unknown}"`);
  const tools = listOf(tool);
  const agents = listOf(agent);
  return {
    name: name ?? fallbackName,
    timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
    when: {
      on: events.types,
      tools: tools && new Set(tools),
      agents: agents && new Set(agents),
      project: null,
    },
  };
}

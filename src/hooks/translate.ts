import type { Agent } from '../agents/agent.ts';
import {
  type CommonCall,
  commonCalls,
  type Dialect,
  type HookRun,
  type Presented,
} from '../agents/kit/dialect.ts';
import { type HookEvent, isToolEvent, type ToolEvent } from '../model/events.ts';
import { merge } from '../model/merge.ts';
import { type HookResponse, none } from '../model/responses.ts';

/** An agent whose hook format is supported. */
export interface DialectOwner {
  readonly id: string;
  readonly dialect: Dialect;
  /** The call of any agent's event, in common terms. */
  describe(event: ToolEvent): readonly CommonCall[];
}

/** One form in which an event is shown to a hook, with the call that it represents. */
export interface Presentation {
  readonly presented: Presented;
  readonly call: CommonCall | null;
}

/** The agents whose dialects are supported. */
export function dialectOwners(agents: ReadonlyMap<string, Agent>): ReadonlyMap<string, DialectOwner> {
  const describe = ({ source, tool }: ToolEvent) => commonCalls(agents.get(source), tool);
  return new Map(
    [...agents.values()].flatMap(({ id, dialect }) =>
      dialect ? [[id, { id, dialect, describe }] as const] : [],
    ),
  );
}

/**
 * The event in the format of another agent: once, or as often as that agent would have made calls for it. Empty if
 * that agent has nothing comparable.
 */
export function presentationsOf(
  event: HookEvent,
  owner: DialectOwner,
  wanted?: string,
): readonly Presentation[] {
  const isOwn = event.source === owner.id;
  const calls = isOwn || !isToolEvent(event) ? [null] : owner.describe(event);
  return calls.flatMap((call) => {
    const presented = owner.dialect.present(event, call, wanted);
    return presented ? [{ presented, call }] : [];
  });
}

/** What a hook's run means for the original event. Throws a readable error where the agent would report a failure. */
export function meaningOf(
  event: HookEvent,
  owner: DialectOwner,
  { presented, call }: Presentation,
  run: HookRun,
): HookResponse {
  const { response, problem } = owner.dialect.interpret(event, presented, run);
  if (problem !== null) throw new Error(problem);
  if (!response.modifyArgs || call === null) return response;
  const common = presented.common(response.modifyArgs);
  const own = common && call.change(common);
  // Running the unchanged call would be a decision that the hook didn't make.
  if (!own) throw new Error(`it changes arguments in a way that ${event.source} does not support`);
  return { ...response, modifyArgs: own };
}

/** Shows the event in each form in turn, and merges the responses. */
export async function inEveryWay(
  presentations: readonly Presentation[],
  ask: (way: Presentation) => Promise<HookResponse>,
): Promise<HookResponse> {
  let all = none();
  for (const way of presentations) all = merge(all, await ask(way));
  return all;
}

import type { EventType } from '../../model/events.ts';
import type { NativeCall } from '../../model/native.ts';
import { type Degradation, effectsOf, type HookResponse } from '../../model/responses.ts';

/** Older scripts turn every refusal into exit code 2; newer ones print those that the agent reads itself. */
export type ScriptAge = 'older' | 'newer';

/** With which newer scripts name the project of the folder they run in, beside the payload. */
export const PROJECT_HEADER = 'x-gobby-project-id';

/** How scripts of other systems, which stand between an agent and its hooks, speak for the agent over HTTP. */
export interface DispatcherDialect {
  /** What such a script calls the agent; empty where it does not say. */
  readonly sources: readonly string[];
  /** Scripts through which `continue: false` reaches the agent, and not as an exit code. */
  readonly endsTurns: readonly ScriptAge[];
  /** Sources of agents that understand nothing but a refusal. */
  readonly onlyRefused?: readonly string[];
  /** The payload as the agent itself would send it, if scripts write it differently. */
  payload?(payload: unknown, source: string): unknown;
  /** The answer in a form that the script's mapping to an exit code does not turn into something else. */
  answer?(body: Body, call: Pick<NativeCall, 'event' | 'payload'>, source: string): Body;
}

type Body = Readonly<Record<string, unknown>>;

/** Here exit code 2 does the same (no prompt, no turn), or the turn ends without an answer. */
const ENDS_ANYWAY: ReadonlySet<EventType> = new Set<EventType>([
  'before_agent',
  'after_agent',
  'stop',
  'subagent_stop',
]);

/** What of a response does not get through such a script to the agent. */
export function lostByScript(
  { endsTurns, onlyRefused = [] }: DispatcherDialect,
  { age, source }: { readonly age: ScriptAge; readonly source: string },
): (type: EventType, response: HookResponse) => readonly Degradation[] {
  return (type, response) => {
    if (onlyRefused.includes(source))
      return effectsOf(response)
        .filter((effect) => effect !== 'deny')
        .map((effect) => ({ effect, reason: `Only denials are passed on to ${source}.` }));
    if (response.halt === undefined || ENDS_ANYWAY.has(type) || endsTurns.includes(age)) return [];
    const reason = 'The dispatcher script makes an exit code of it: the agent reads the reason and goes on.';
    return [{ effect: 'halt', reason }];
  };
}

/** The same object with the first of the other names that has a value, where the wanted one has none. */
export function withAlias(object: Body, wanted: string, others: readonly string[]): Body {
  if (object[wanted] !== undefined) return object;
  const found = others.find((name) => object[name] !== undefined);
  return found === undefined ? object : { ...object, [wanted]: object[found] };
}

/** The answer without the end of the turn, for events at which exit code 2 would keep the agent from ending it. */
export function withoutHalt(body: Body): Body {
  if (body.continue !== false) return body;
  const { continue: _, stopReason, ...rest } = body;
  return rest;
}

/** Scripts that print one text of an answer print this one, where it ends the turn too: the reason goes before. */
export function withReasonFirst(body: Body, reason: string): Body {
  const ends = body.continue === false && typeof body.stopReason === 'string';
  return ends ? { ...body, reason, stopReason: `${reason}\n\n${body.stopReason}` } : { ...body, reason };
}

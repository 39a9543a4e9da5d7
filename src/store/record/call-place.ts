import { type HookEvent, isToolEvent, type ToolEvent } from '../../model/events.ts';
import type { ToolCall } from '../../model/tools.ts';
import { redactId } from '../../redact/ids.ts';

/** A tool call, for the events about it that follow. */
export interface AnnouncedCall {
  readonly toolNumber: number;
  readonly useId: string | null;
  readonly name: string;
  readonly agentId: string | null;
  /** Digest of the command or file: calls that run side by side differ in it. */
  readonly matchKey: number;
  /** It has ended: what comes without an id is about another one. */
  readonly ended: boolean;
}

/** How far a session has come. */
export interface SessionCounters {
  readonly sequence: number;
  readonly promptNumber: number;
  readonly toolNumber: number;
  /** Newest first. */
  readonly calls: readonly AnnouncedCall[];
}

export const NEW_SESSION: SessionCounters = { sequence: 0, promptNumber: 0, toolNumber: 0, calls: [] };

/** More than any agent runs at once; older calls have ended. */
export const REMEMBERED_CALLS = 64;

interface Place {
  readonly counters: SessionCounters;
  /** The number of the call that the event is about, which may be an older one than the newest. */
  readonly toolNumber: number;
}

/** The next place in a session, and the event's tool number. `continued`: the prompt is our own refusal come back. */
export function nextPlace(counters: SessionCounters, event: HookEvent, continued = false): Place {
  const sequence = counters.sequence + 1;
  if (isToolEvent(event)) return placeOfCall({ ...counters, sequence }, event);
  // A subagent's prompt was written by the main agent, not by a person.
  const prompted = event.type === 'before_agent' && event.agentId === null && !continued;
  const promptNumber = prompted ? counters.promptNumber + 1 : counters.promptNumber;
  return {
    counters: { sequence, promptNumber, toolNumber: counters.toolNumber, calls: counters.calls },
    toolNumber: counters.toolNumber,
  };
}

/** A call whose beginning was never reported gets a number of its own as well. */
function placeOfCall(counters: SessionCounters, event: ToolEvent): Place {
  const { agentId, tool, type } = event;
  const ended = type === 'after_tool' || type === 'permission_denied';
  const known = type === 'before_tool' ? undefined : callOf(tool, agentId, counters.calls);
  if (known !== undefined) {
    const calls = ended
      ? counters.calls.with(counters.calls.indexOf(known), { ...known, ended })
      : counters.calls;
    return { counters: { ...counters, calls }, toolNumber: known.toolNumber };
  }
  const toolNumber = counters.toolNumber + 1;
  const call = { toolNumber, ...namesOf(tool, agentId), matchKey: matchKeyOf(tool), ended };
  // Not spread: that goes through the list one by one, on each call.
  const calls = [call].concat(counters.calls);
  if (calls.length > REMEMBERED_CALLS) calls.pop();
  return { counters: { ...counters, toolNumber, calls }, toolNumber };
}

/** By its id where both sides have one; else the newest open one of the same tool and agent, if possible on the same thing. */
function callOf(
  tool: ToolCall,
  inAgent: string | null,
  calls: readonly AnnouncedCall[],
): AnnouncedCall | undefined {
  const { useId, name, agentId } = namesOf(tool, inAgent);
  const sameId = useId === null ? undefined : calls.find((call) => call.useId === useId);
  if (sameId !== undefined) return sameId;
  const alike = calls.filter(
    (call) =>
      !call.ended &&
      call.name === name &&
      call.agentId === agentId &&
      (call.useId === null || useId === null),
  );
  const matchKey = matchKeyOf(tool);
  return alike.find((call) => call.matchKey === matchKey) ?? alike[0];
}

/** As they are stored: after a restart the calls come from there. */
function namesOf(
  { name, useId }: ToolCall,
  agentId: string | null,
): Pick<AnnouncedCall, 'useId' | 'name' | 'agentId'> {
  return {
    useId: useId === null ? null : redactId(useId),
    name: redactId(name),
    agentId: agentId === null ? null : redactId(agentId),
  };
}

function matchKeyOf(tool: ToolCall): number {
  return digest(tool.command ?? tool.files[0]?.path ?? '');
}

/** A number, so that no command line is kept in memory for it. */
export function digest(text: string): number {
  const end = Math.min(text.length, 512);
  let sum = text.length;
  for (let i = 0; i < end; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0;
  return sum;
}

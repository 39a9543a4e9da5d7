import { type HookEvent, isToolEvent, type ToolEvent } from '../../model/events.ts';
import type { ToolCall } from '../../model/tools.ts';
import { redactId } from '../../redact/ids.ts';

/** A tool call that later events refer to. */
export interface AnnouncedCall {
  readonly toolNumber: number;
  readonly useId: string | null;
  readonly name: string;
  readonly agentId: string | null;
  /** Digest of the command or file, which tells parallel calls apart. */
  readonly matchKey: number;
  /** The call has ended, so an event without an ID belongs to another call. */
  readonly ended: boolean;
}

/** Counters of a session. */
export interface SessionCounters {
  readonly sequence: number;
  readonly promptNumber: number;
  readonly toolNumber: number;
  /** Newest first. */
  readonly calls: readonly AnnouncedCall[];
}

export const NEW_SESSION: SessionCounters = { sequence: 0, promptNumber: 0, toolNumber: 0, calls: [] };

/** More than any agent runs in parallel; older calls have ended. */
export const REMEMBERED_CALLS = 64;

interface Place {
  readonly counters: SessionCounters;
  /** Number of the call that the event belongs to, which may not be the newest. */
  readonly toolNumber: number;
}

/**
 * The next place in a session, and the event's tool number. `continued` means that the prompt is our own denial sent
 * back.
 */
export function nextPlace(counters: SessionCounters, event: HookEvent, continued = false): Place {
  const sequence = counters.sequence + 1;
  if (isToolEvent(event)) return placeOfCall({ ...counters, sequence }, event);
  // The main agent wrote a subagent's prompt, not a person.
  const prompted = event.type === 'before_agent' && event.agentId === null && !continued;
  const promptNumber = prompted ? counters.promptNumber + 1 : counters.promptNumber;
  return {
    counters: { sequence, promptNumber, toolNumber: counters.toolNumber, calls: counters.calls },
    toolNumber: counters.toolNumber,
  };
}

/** A call whose start was never reported gets its own number too. */
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
  // Not spread into arguments, which would copy the list on each call.
  const calls = [call].concat(counters.calls);
  if (calls.length > REMEMBERED_CALLS) calls.pop();
  return { counters: { ...counters, toolNumber, calls }, toolNumber };
}

/**
 * Matches by ID if both sides have one. Otherwise takes the newest open call of the same tool and agent, preferably
 * with the same subject.
 */
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

/** In stored form, because after a restart the calls are read from the store. */
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

/** A hash, so that no command line is kept in memory for it. */
export function digest(text: string): number {
  const end = Math.min(text.length, 512);
  let sum = text.length;
  for (let i = 0; i < end; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0;
  return sum;
}

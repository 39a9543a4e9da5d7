import type { Agent } from '../agents/agent.ts';
import { type Approver, type Asking, type Handler, NOT_ASKING } from '../model/deciding.ts';
import { messageOf } from '../model/errors.ts';
import { type HookEvent, isToolEvent } from '../model/events.ts';
import { type FailureMode, responseToFailure, within } from '../model/failure.ts';
import { merge, settled } from '../model/merge.ts';
import type { Opinion } from '../model/recording.ts';
import { type HookResponse, none } from '../model/responses.ts';
import { sameFiles } from './new-files.ts';

export interface Decided {
  readonly response: HookResponse;
  readonly opinions: readonly Opinion[];
}

/** The result of a failure. Looked up again each time, and only when something fails. */
interface Failing {
  readonly failure: FailureMode;
}

/** Asks every handler in order and folds their opinions into one response. */
export async function decide(
  event: HookEvent,
  agent: Agent,
  handlers: readonly Handler[],
  failing: Failing,
  asking: Asking = NOT_ASKING,
  approver: Approver | null = null,
): Promise<Decided> {
  let current = event;
  let response = none();
  const opinions: Opinion[] = [];
  const take = (given: readonly Opinion[]) => {
    for (const opinion of given) {
      opinions.push(opinion);
      if (opinion.observing) continue;
      response = merge(response, opinion.response);
      if (opinion.response.modifyArgs) current = rewritten(current, opinion.response.modifyArgs, agent);
    }
  };
  for (const handler of handlers) {
    const given = opinionsOf(handler, current, failing, asking);
    // Most know at once.
    take(given instanceof Promise ? await given : given);
  }
  if (approver) {
    const approved = approver.approve(current, response, opinions, asking);
    const answer = approved instanceof Promise ? await approved : approved;
    if (answer) {
      opinions.push(answer);
      response = settled(response, answer.response);
      const { modifyArgs } = answer.response;
      if (modifyArgs) current = rewritten(current, modifyArgs, agent);
    }
  }
  if (current !== event) {
    for (const handler of handlers.filter((one) => one.guards)) {
      const again = await opinionsOf(handler, current, failing, asking);
      take(again.filter((opinion) => isNewRestriction(opinion, opinions)));
    }
  }
  return { response, opinions };
}

function opinionsOf(
  handler: Handler,
  event: HookEvent,
  failing: Failing,
  asking: Asking,
): readonly Opinion[] | Promise<readonly Opinion[]> {
  try {
    const given = handler.decide(event, asking);
    if (!(given instanceof Promise)) return listOf(given);
    const inTime = handler.budgetMs === null ? given : within(handler.budgetMs, given);
    return inTime.then(listOf).catch((error: unknown) => failureOf(handler, event, failing, error));
  } catch (error) {
    return failureOf(handler, event, failing, error);
  }
}

/** Read here, so that a handler that gives no list fails like one that throws. */
function listOf(given: readonly Opinion[]): readonly Opinion[] {
  return given.length === 0 ? NO_OPINIONS : [...given];
}

const NO_OPINIONS: readonly Opinion[] = [];

function failureOf(
  { name }: Handler,
  event: HookEvent,
  { failure }: Failing,
  error: unknown,
): readonly Opinion[] {
  const problem = messageOf(error);
  const response = responseToFailure(event.type, failure, `${name}: ${problem}`);
  return [{ kind: 'failure', by: name, where: null, response, problem }];
}

/** A second look may only tighten: allows, rewrites and contexts have been heard already. */
function isNewRestriction(opinion: Opinion, heard: readonly Opinion[]): boolean {
  const { decision, modifyArgs } = opinion.response;
  if ((decision !== 'deny' && decision !== 'ask') || modifyArgs) return false;
  return !heard.some((one) => one.by === opinion.by && one.response.decision === decision);
}

/** The event with some arguments of its call changed. */
export function rewritten(
  event: HookEvent,
  args: Readonly<Record<string, unknown>>,
  agent: Agent,
): HookEvent {
  if (!isToolEvent(event)) return event;
  const tool = sameFiles(event.tool, agent.withInput(event.tool, { ...event.tool.input, ...args }));
  // Only calls that have not happened yet can be changed.
  return event.type === 'before_tool' || event.type === 'permission_request' ? { ...event, tool } : event;
}

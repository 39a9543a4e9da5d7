import type { Approver, Asking } from '../model/deciding.ts';
import { type EventType, type HookEvent, isToolEvent } from '../model/events.ts';
import type { Opinion } from '../model/recording.ts';
import { deny, type HookResponse, reasonForPerson, reasonShown } from '../model/responses.ts';
import { type Approval, kindOf, responseTo } from './approval.ts';
import type { ApprovalQueue } from './queue.ts';
import type { RunPolicy } from './runs.ts';

interface ApproverOptions {
  readonly queue: ApprovalQueue;
  readonly newId: () => string;
  readonly now: () => number;
  /** True if a person is present to answer this. */
  readonly attended: (event: HookEvent) => boolean;
  /** Longest wait for a person. */
  readonly waitMs: number;
  /** The result without an answer. It can only restrict. */
  readonly onExpiry: 'none' | 'deny';
  /** The policy of the `hookline exec` run that an event belongs to; null outside of one. */
  readonly runOf?: (event: HookEvent) => RunPolicy | null;
}

/** Events that wait for a person; others are decided without one. */
const ASKS: ReadonlySet<EventType> = new Set(['permission_request', 'elicitation']);

/** The agent has its own timeout, so we answer before it. */
const MARGIN_MS = 2_000;

/** Creates approvals for what rules ask, and for agents' permission requests while a person is present. */
export function createApprover(
  options: ApproverOptions,
): Approver & { /** Waits even without a person present. */ waitsAlone(approval: Approval): boolean } {
  const { queue } = options;
  const alone = new Set<string>();

  async function askPerson(
    ofRun: 'ask' | 'usual',
    wait: number,
    [event, response, opinions, asking]: Parameters<Approver['approve']>,
  ): Promise<Opinion | null> {
    asking.hold(wait + MARGIN_MS);
    if (await hasGone(asking)) return null;
    const card = queue.continued(cardFor(event, response, opinions, options, wait, asking.questions));
    if (ofRun === 'ask') alone.add(card.id);
    const settled = await askWhileThere(queue, card, asking).finally(() => alone.delete(card.id));
    return opinionOf(settled, options.onExpiry, asking.answered);
  }

  return {
    approve(event, response, opinions, asking) {
      const ofRun = inRun(event, response, options.runOf?.(event) ?? null);
      if (ofRun !== 'ask' && ofRun !== 'usual') return ofRun;
      if (!needsPerson(event, response)) return null;
      // A surface open before the daemon was killed may not be back yet.
      if (ofRun !== 'ask' && !options.attended(event) && !queue.isLeft(event.id)) return null;
      const wait = Math.min(options.waitMs, asking.timeoutMs - MARGIN_MS);
      if (wait <= 0) return null;
      return askPerson(ofRun, wait, [event, response, opinions, asking]);
    },
    waitsAlone: ({ id }) => alone.has(id),
    /** A later event of a session shows that it no longer waits. */
    noticed(event) {
      queue.withdraw((card) => isOvertaken(card, event), `the agent continued (${event.type})`);
    },
  };
}

/**
 * True if the peer has disconnected by now. Reloading rules, or a busy machine, may have kept the event loop from
 * noticing, so pending input is read first.
 */
async function hasGone({ gone }: Asking): Promise<boolean> {
  if (gone === undefined) return false;
  const signal = gone();
  for (let round = 0; round < ROUNDS; round += 1) await new Promise(setImmediate);
  return signal.aborted;
}

/** The first round may start before anything is read; the second comes after it. */
const ROUNDS = 2;

/**
 * Waits for an answer or until the peer disconnects. In that case only this card is withdrawn, and no other of the
 * call.
 */
async function askWhileThere(queue: ApprovalQueue, card: Approval, { gone }: Asking): Promise<Approval> {
  if (card.state !== 'pending') return card;
  const withdraw = () => queue.withdraw(({ id }) => id === card.id, 'the agent disconnected');
  const settled = queue.ask(card);
  const signal = gone?.();
  signal?.addEventListener('abort', withdraw, { once: true });
  return settled.finally(() => signal?.removeEventListener('abort', withdraw));
}

/** Applies the run's policy: null for no decision, a denial, or that a person has to decide. */
function inRun(
  event: HookEvent,
  response: HookResponse,
  run: RunPolicy | null,
): Opinion | null | 'ask' | 'usual' {
  if (run === null) return 'usual';
  const kind = kindOf(event);
  const isQuestion = kind === 'question' || kind === 'elicitation';
  const policy = isQuestion ? run.onQuestion : run.onPermission;
  if (policy === 'rules') return null;
  if (policy === 'ask') return 'ask';
  // A denied question needs no permission request first.
  const isAsked = isQuestion && event.type === 'before_tool' && response.decision === 'none';
  if (!isAsked && !needsPerson(event, response)) return null;
  const option = isQuestion ? '--on-question deny' : '--on-permission deny';
  const why = reasonForPerson(response);
  const reason = isQuestion
    ? 'No one can answer questions in this headless run. Decide yourself, or finish by listing your open questions.'
    : `${why === undefined ? '' : `${why} `}No one can approve this in a headless run. Skip it, and finish by listing what still needs approval.`;
  return { kind: 'approval', by: `denied by exec ${option}`, where: null, response: deny(reason) };
}

function needsPerson(event: HookEvent, response: HookResponse): boolean {
  if (response.decision === 'deny' || response.decision === 'allow') return false;
  // The agent might not have asked, so only a rule requires a person.
  const isUnsure = event.type === 'permission_request' && event.unsure === true;
  if (ASKS.has(event.type) && !isUnsure) return true;
  return response.decision === 'ask' && isToolEvent(event);
}

function cardFor(
  event: HookEvent,
  response: HookResponse,
  opinions: readonly Opinion[],
  options: ApproverOptions,
  wait: number,
  questions: Approval['questions'],
): Approval {
  const now = options.now();
  return {
    id: options.newId(),
    eventId: event.id,
    kind: kindOf(event) ?? 'permission',
    source: event.source,
    sessionId: event.sessionId,
    agentId: event.agentId,
    promptNumber: event.promptNumber,
    toolNumber: event.toolNumber,
    projectId: event.projectId,
    cwd: event.cwd,
    tool: isToolEvent(event) ? event.tool : null,
    questions,
    question: event.type === 'elicitation' ? event.message : null,
    reason: reasonShown(response) ?? null,
    rules: opinions.filter(({ response: { decision } }) => decision === 'ask').map(({ by }) => by),
    asksPermission: event.type === 'permission_request',
    suggestions: event.type === 'permission_request' ? event.suggestions : [],
    createdAt: now,
    expiresAt: now + wait,
    state: 'pending',
    settledAt: null,
    settledBy: null,
    answer: null,
  };
}

function opinionOf(settled: Approval, onExpiry: 'none' | 'deny', answered: Asking['answered']): Opinion {
  const expired = settled.state === 'expired' && onExpiry === 'deny';
  const response = expired
    ? deny('The approval expired, and Hookline is set to deny expired approvals.')
    : responseTo(settled, answered);
  return {
    kind: 'approval',
    by: `${settled.state} by ${settled.settledBy ?? 'unknown'}`,
    where: settled.id,
    response,
    ...(settled.settledAt === null ? {} : { tookMs: settled.settledAt - settled.createdAt }),
  };
}

/**
 * True if an event shows that the agent no longer waits for this card. A parallel call of the same session doesn't;
 * only an event of the same call, the end of the turn, or the next prompt does.
 */
function isOvertaken(card: Approval, event: HookEvent): boolean {
  if (event.source !== card.source || event.sessionId !== card.sessionId || event.id === card.eventId)
    return false;
  if (event.agentId !== card.agentId) return false;
  if (event.type === 'before_agent' || event.type === 'stop' || event.type === 'session_end') return true;
  if (event.type === 'after_agent' || event.type === 'interrupt') return true;
  if (!isToolEvent(event) || card.tool === null || event.type === 'permission_request') return false;
  return (
    sameCall(card, event.tool.useId, event.tool.nativeName, event.tool.input) && event.type !== 'before_tool'
  );
}

function sameCall(card: Approval, useId: string | null, name: string, input: unknown): boolean {
  if (card.tool === null) return false;
  if (card.tool.useId !== null && useId !== null) return card.tool.useId === useId;
  return card.tool.nativeName === name && JSON.stringify(card.tool.input) === JSON.stringify(input);
}

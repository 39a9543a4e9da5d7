import type { Change } from '../model/changes.ts';
import type { HookEvent, PermissionSuggestion } from '../model/events.ts';
import { isToolEvent } from '../model/events.ts';
import type { Grant, HookResponse } from '../model/responses.ts';
import { callSubject } from '../model/subject.ts';
import { oneLine } from '../model/text.ts';
import type { Question, QuestionAnswers, ToolCall } from '../model/tools.ts';

/** pending → allowed | denied | expired | withdrawn, and then never again. */
type ApprovalState = 'pending' | 'allowed' | 'denied' | 'expired' | 'withdrawn';

/** What a person is asked: for a permission, for an answer to a question, for the go on a plan. */
type ApprovalKind = 'permission' | 'question' | 'plan' | 'elicitation';

/** How far an answer goes. */
export const SCOPES = ['once', 'session', 'branch', 'project', 'always', 'server'] as const;
export type AnswerScope = (typeof SCOPES)[number];

/** What a person said. */
export interface Answer {
  readonly decision: 'allow' | 'deny';
  /** To the model. */
  readonly message?: string;
  /** Deny, and end the turn. */
  readonly halt?: boolean;
  /** Changed arguments. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** To questions, by their ids. */
  readonly answers?: QuestionAnswers;
  readonly scope?: AnswerScope;
}

/** The approval is handed back to the agent's own prompt, without a decision. */
export const HANDED_BACK = { decision: 'none' } as const;

/** What surfaces send. */
export type Reply = Answer | typeof HANDED_BACK;

/** One thing that waits for a person. Its id is ours: agents reuse theirs. */
export interface Approval {
  readonly id: string;
  readonly eventId: string;
  readonly kind: ApprovalKind;
  readonly source: string;
  readonly sessionId: string;
  readonly agentId: string | null;
  /** The place of the call in its session. */
  readonly promptNumber: number;
  readonly toolNumber: number;
  readonly projectId: string | null;
  readonly cwd: string | null;
  readonly tool: ToolCall | null;
  /** What an MCP server asks for. */
  readonly question: string | null;
  /** What a question tool asks. */
  readonly questions: readonly Question[];
  /** Why a rule wants a person to look, and which ones do. */
  readonly reason: string | null;
  readonly rules: readonly string[];
  readonly suggestions: readonly PermissionSuggestion[];
  /** The agent itself asked for permission, so its own store can keep the answer. */
  readonly asksPermission: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly state: ApprovalState;
  readonly settledAt: number | null;
  /** Who answered, and from where; for a withdrawal, why. */
  readonly settledBy: string | null;
  readonly answer: Answer | null;
  /** Whether the forwarder has confirmed that the answer arrived; absent where that is not known. */
  readonly delivered?: boolean;
}

/** An approval as surfaces get it: without secrets, with what the call would change and what a grant would cover. */
export interface ShownApproval extends Approval {
  /** The project by the name of its folder, and the branch that is checked out there: `shop · main`. */
  readonly place: string;
  readonly changes: readonly Change[];
  /** What an answer for longer is for; null for what can only be answered this once. */
  readonly covers: string | null;
  /** The prompt that led here, and which of the session it is; null where none was seen. */
  readonly asked: { readonly prompt: string; readonly turn: number } | null;
  /** Where the words of the command stand without which its rules would not apply. */
  readonly marks: readonly (readonly [start: number, end: number])[];
  /** Options of a shell call that change how its command runs, such as without the agent's sandbox: `name: value`. */
  readonly runsWith: readonly string[];
  /** Something would be gone afterwards: neither answer may be the easier one. */
  readonly destructive: boolean;
  /** The same for requests that one answer can serve, whichever session they come from. */
  readonly group: string;
  /** The machine of the fleet on which it waits, where that is another one. */
  readonly machine?: { readonly id: string; readonly name: string };
}

/** What an answer for longer than this once would be for, in a sentence. */
export function grantPreview({ covers, machine }: Pick<ShownApproval, 'covers' | 'machine'>): string {
  if (machine) return `It is pending on ${machine.name}. From here you can answer it only once.`;
  return covers === null
    ? 'You can allow this only once, because its effect depends on values at run time.'
    : `A grant would cover: ${covers}`;
}

/** What an approval is about. */
export function approvalSubject({ question, tool }: Pick<Approval, 'question' | 'tool'>): string {
  return question ?? (tool === null ? '' : callSubject(tool));
}

/** The same on one line, with the tool that it is about. */
export function approvalTitle(approval: Pick<Approval, 'kind' | 'question' | 'tool'>, most: number): string {
  const subject = oneLine(approvalSubject(approval), most);
  return [approval.tool?.name ?? approval.kind, subject].filter(Boolean).join(' ');
}

/** The end of an approval. */
export type Settlement =
  | { readonly state: 'allowed' | 'denied'; readonly answer: Answer; readonly by: string }
  | { readonly state: 'expired' | 'withdrawn'; readonly by: string };

/** How it ended, in words. A withdrawal has a reason instead of a person. */
export function settlementText({ state, settledBy, delivered }: Approval): string {
  if (settledBy === null) return state;
  if (state === 'withdrawn') return `withdrawn: ${settledBy}`;
  return `${state} by ${settledBy}${delivered === false ? `, ${NOT_DELIVERED}` : ''}`;
}

/** Of an answer that the forwarder hung up on. */
export const NOT_DELIVERED = 'not delivered: the agent disconnected before it received the answer';

/** The approval with its end; null when it has one already: the first answer wins. */
export function settle(approval: Approval, settlement: Settlement, now: number): Approval | null {
  if (approval.state !== 'pending') return null;
  return {
    ...approval,
    state: settlement.state,
    settledAt: now,
    settledBy: settlement.by,
    answer: 'answer' in settlement ? settlement.answer : null,
  };
}

/**
 * The answer that an agent gets for a settled approval; `answered` gives the arguments that answer a question. Without an
 * answer nothing is sent: expiry and withdrawal never allow.
 */
export function responseTo(
  approval: Approval,
  answered: (answers: QuestionAnswers) => Readonly<Record<string, unknown>> = () => ({}),
): HookResponse {
  const { answer } = approval;
  if (answer === null) return { decision: 'none' };
  if (answer.decision === 'deny') {
    const reason = answer.message || 'Denied by the user.';
    return { decision: 'deny', reason, ...(answer.halt ? { halt: reason } : {}) };
  }
  const upstream = upstreamGrant(approval);
  const changes = answer.answers ? { ...answer.input, ...answered(answer.answers) } : answer.input;
  return {
    decision: 'allow',
    reason: answer.message || `Approved by ${approval.settledBy ?? 'the user'}.`,
    ...(changes ? { modifyArgs: changes } : {}),
    ...(upstream ? { grants: [upstream] } : {}),
  };
}

/**
 * The answer for the agent's own store, where the agent has asked for a permission. A branch is nothing that agents'
 * stores know, and a wider scope was not given.
 */
function upstreamGrant({ tool, asksPermission, answer }: Approval): Grant | null {
  if (answer?.scope === 'server') {
    // Also where the agent asked nothing, so that it is on record that only Hookline remembers it.
    const server = tool?.mcp?.server;
    return tool && server
      ? { behavior: 'allow', tool: tool.nativeName, server, pattern: null, scope: 'user' }
      : null;
  }
  const scope = UPSTREAM[answer?.scope ?? 'once'];
  if (!scope || !tool || !asksPermission) return null;
  // To an agent's store this is a pattern: a sign that stands for others would let through more than was allowed.
  if (/[*?[\]{}\n]/.test(tool.command ?? '')) return null;
  const pattern = tool.command ?? (tool.files.length === 1 ? (tool.files[0]?.path ?? null) : null);
  // Without one it would be for every call of the tool, whatever its arguments.
  return pattern === null ? null : { behavior: 'allow', tool: tool.nativeName, pattern, scope };
}

const UPSTREAM: Readonly<Partial<Record<AnswerScope, Grant['scope']>>> = {
  session: 'session',
  project: 'project',
  always: 'user',
};

/** What kind of question an event is to a person, if it is one. */
export function kindOf(event: HookEvent): ApprovalKind | null {
  if (event.type === 'elicitation') return 'elicitation';
  if (!isToolEvent(event)) return null;
  if (event.tool.kind === 'question') return 'question';
  return event.tool.kind === 'plan' ? 'plan' : 'permission';
}

import type { Change } from '../model/changes.ts';
import type { HookEvent, PermissionSuggestion } from '../model/events.ts';
import { isToolEvent } from '../model/events.ts';
import type { Grant, HookResponse } from '../model/responses.ts';
import { callSubject } from '../model/subject.ts';
import { oneLine } from '../model/text.ts';
import type { Question, QuestionAnswers, ToolCall } from '../model/tools.ts';

/** pending → allowed | denied | expired | withdrawn, each of which is final. */
type ApprovalState = 'pending' | 'allowed' | 'denied' | 'expired' | 'withdrawn';

/** What a person decides: a permission, a question, or a plan. */
type ApprovalKind = 'permission' | 'question' | 'plan' | 'elicitation';

/** How far an answer goes. */
export const SCOPES = ['once', 'session', 'branch', 'project', 'always', 'server'] as const;
export type AnswerScope = (typeof SCOPES)[number];

/** A person's answer. */
export interface Answer {
  readonly decision: 'allow' | 'deny';
  /** Message for the model. */
  readonly message?: string;
  /** Deny, and end the turn. */
  readonly halt?: boolean;
  /** Changed arguments. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Answers to questions, by ID. */
  readonly answers?: QuestionAnswers;
  readonly scope?: AnswerScope;
}

/** The approval is handed back to the agent's own prompt, without a decision. */
export const HANDED_BACK = { decision: 'none' } as const;

/** What surfaces send. */
export type Reply = Answer | typeof HANDED_BACK;

/** One pending decision for a person. Has its own ID, because agents reuse theirs. */
export interface Approval {
  readonly id: string;
  readonly eventId: string;
  readonly kind: ApprovalKind;
  readonly source: string;
  readonly sessionId: string;
  readonly agentId: string | null;
  /** Position of the call in its session. */
  readonly promptNumber: number;
  readonly toolNumber: number;
  readonly projectId: string | null;
  readonly cwd: string | null;
  readonly tool: ToolCall | null;
  /** An MCP server's question. */
  readonly question: string | null;
  /** Questions of a question tool. */
  readonly questions: readonly Question[];
  /** Why a rule requires approval, and which rules do. */
  readonly reason: string | null;
  readonly rules: readonly string[];
  readonly suggestions: readonly PermissionSuggestion[];
  /** The agent itself asked for permission, so its own settings can store the answer. */
  readonly asksPermission: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly state: ApprovalState;
  readonly settledAt: number | null;
  /** Who answered, and on which device; for a withdrawal, why. */
  readonly settledBy: string | null;
  readonly answer: Answer | null;
  /** True if the forwarder confirmed that the answer arrived; absent if unknown. */
  readonly delivered?: boolean;
}

/** An approval for display: redacted, with the changes that the call would make and what a grant would cover. */
export interface ShownApproval extends Approval {
  /** The project's directory name and its current branch: `shop · main`. */
  readonly place: string;
  readonly changes: readonly Change[];
  /** What a grant would cover; null if it can be answered only once. */
  readonly covers: string | null;
  /** The prompt that led here, and its number in the session; null if there was none. */
  readonly asked: { readonly prompt: string; readonly turn: number } | null;
  /** Positions of the words that made the rules match. */
  readonly marks: readonly (readonly [start: number, end: number])[];
  /** Options of a shell call that change how its command runs, such as without the agent's sandbox: `name: value`. */
  readonly runsWith: readonly string[];
  /** It would delete something, so neither answer may be the easier one. */
  readonly destructive: boolean;
  /** The same for approvals that one answer can settle, from any session. */
  readonly group: string;
  /** The fleet machine where it is pending, if it is another one. */
  readonly machine?: { readonly id: string; readonly name: string };
}

/** What a grant would cover, in a sentence. */
export function grantPreview({ covers, machine }: Pick<ShownApproval, 'covers' | 'machine'>): string {
  if (machine) return `It is pending on ${machine.name}. From here you can answer it only once.`;
  return covers === null
    ? 'You can allow this only once, because its effect depends on values at run time.'
    : `A grant would cover: ${covers}`;
}

/** The subject of an approval. */
export function approvalSubject({ question, tool }: Pick<Approval, 'question' | 'tool'>): string {
  return question ?? (tool === null ? '' : callSubject(tool));
}

/** The same on one line, with its tool. */
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

/** For an answer after the forwarder disconnected. */
export const NOT_DELIVERED = 'not delivered: the agent disconnected before it received the answer';

/** The approval with its end; null if it already ended: the first answer wins. */
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
 * The agent's response for a settled approval; `answered` returns the arguments that answer a question. Without an
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
 * The answer for the agent's own settings, if the agent asked for permission. They know no branches, and a wider
 * scope wasn't granted.
 */
function upstreamGrant({ tool, asksPermission, answer }: Approval): Grant | null {
  if (answer?.scope === 'server') {
    // Also if the agent didn't ask, so that it is recorded that only Hookline remembers it.
    const server = tool?.mcp?.server;
    return tool && server
      ? { behavior: 'allow', tool: tool.nativeName, server, pattern: null, scope: 'user' }
      : null;
  }
  const scope = UPSTREAM[answer?.scope ?? 'once'];
  if (!scope || !tool || !asksPermission) return null;
  // The agent's settings treat this as a pattern: a wildcard would allow more than was granted.
  if (/[*?[\]{}\n]/.test(tool.command ?? '')) return null;
  const pattern = tool.command ?? (tool.files.length === 1 ? (tool.files[0]?.path ?? null) : null);
  // Without one it would apply to every call of the tool, with any arguments.
  return pattern === null ? null : { behavior: 'allow', tool: tool.nativeName, pattern, scope };
}

const UPSTREAM: Readonly<Partial<Record<AnswerScope, Grant['scope']>>> = {
  session: 'session',
  project: 'project',
  always: 'user',
};

/** The kind of decision that an event requires from a person, if any. */
export function kindOf(event: HookEvent): ApprovalKind | null {
  if (event.type === 'elicitation') return 'elicitation';
  if (!isToolEvent(event)) return null;
  if (event.tool.kind === 'question') return 'question';
  return event.tool.kind === 'plan' ? 'plan' : 'permission';
}

import type { EventBrief } from './event-brief.ts';

/** The outcome of a call. Color is used only for this. */
export type Outcome = 'running' | 'waiting' | 'done' | 'allowed' | 'denied' | 'failed' | 'unknown';

export interface CallOutcome {
  readonly outcome: Outcome;
  /** The same in words, with who decided: `denied by git/force-push`, `you allowed`. */
  readonly words: string;
}

/**
 * The outcome of a call, from what was delivered to the agent and from its result. `hasEnded`: its turn or session
 * has ended, so no result will come.
 */
export function outcomeOf(events: readonly EventBrief[], hasEnded: boolean): CallOutcome {
  const result = events.findLast(({ type }) => type === 'after_tool');
  const ahead = events.filter(({ type }) => type !== 'after_tool');
  const refused = ahead.find(({ delivered }) => delivered === 'deny');
  if (refused) {
    const ran = result?.outcome === 'ok' || result?.outcome === 'failed';
    return { outcome: 'denied', words: `${refusalWords(refused)}${ran ? ', but it ran' : ''}` };
  }
  if (result?.outcome === 'denied' || ahead.some(({ type }) => type === 'permission_denied'))
    return { outcome: 'denied', words: 'denied in the agent' };
  if (result?.delivered === 'deny')
    return { outcome: 'denied', words: `denied after it ran${named(result)}` };
  if (result?.outcome === 'failed') return { outcome: 'failed', words: 'failed' };
  if (result?.outcome === 'interrupted') return { outcome: 'failed', words: 'interrupted' };
  const permission = permissionWords(ahead);
  if (result) return permission ? { outcome: 'allowed', words: permission } : DONE;
  return endingWithoutResult(ahead, permission, hasEnded);
}

const DONE: CallOutcome = { outcome: 'done', words: 'done' };

function endingWithoutResult(
  ahead: readonly EventBrief[],
  permission: string | null,
  hasEnded: boolean,
): CallOutcome {
  const asked = ahead.findLast(isAsked);
  const open = asked !== undefined && !ahead.some(({ delivered }) => delivered === 'allow');
  if (hasEnded) return { outcome: 'unknown', words: open ? `${askWords(asked)}, no result seen` : 'unknown' };
  if (open) return { outcome: 'waiting', words: waitingWords(asked) };
  return { outcome: 'running', words: permission ? `running, ${permission}` : 'running' };
}

/** True if a person was asked, by Hookline or by the agent. */
function isAsked({ type, delivered, waits }: EventBrief): boolean {
  return waits === true || delivered === 'ask' || (type === 'permission_request' && delivered === 'none');
}

function waitingWords({ by, waits }: EventBrief): string {
  return waits ? pendingWords(by) : `needs approval in the agent${inBrackets(by)}`;
}

/** Text for a call with a pending approval that these rules require. */
function pendingWords(rules: readonly string[]): string {
  return `needs approval${inBrackets(rules)}`;
}

const inBrackets = (names: readonly string[]) => (names.length === 0 ? '' : ` (${list(names)})`);

function askWords({ delivered, by }: EventBrief): string {
  return delivered === 'ask' && by.length > 0
    ? `needed approval by ${list(by)}`
    : 'needed approval in the agent';
}

function refusalWords(event: EventBrief): string {
  if (event.answered !== null && event.decision === 'deny') return event.answered;
  // The rule requires approval, but the agent has no way to ask for it.
  return event.decision === 'ask'
    ? `denied, agent can't ask${inBrackets(event.by)}`
    : `denied${named(event)}`;
}

/** Who allowed it; null if no approval was necessary. */
function permissionWords(ahead: readonly EventBrief[]): string | null {
  const allowed = ahead.findLast(({ delivered }) => delivered === 'allow');
  if (allowed) return allowed.answered ?? `allowed${named(allowed)}`;
  // Some agents can't use an allow, and run the call or ask again. The answer still counts.
  const said = ahead.findLast(({ decision, answered }) => decision === 'allow' && answered !== null);
  if (said) return said.answered;
  // It ran, so it was allowed in the agent's own prompt.
  return ahead.some(isAsked) ? 'allowed in the agent' : null;
}

function named({ by }: EventBrief): string {
  return by.length === 0 ? '' : ` by ${list(by)}`;
}

function list([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} +${others.length}`;
}

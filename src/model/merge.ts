import type { Decision, HookResponse } from './responses.ts';

const RANK: Readonly<Record<Decision, number>> = { none: 0, allow: 1, ask: 2, deny: 3 };

export function isStronger(a: Decision, b: Decision): boolean {
  return RANK[a] > RANK[b];
}

/** The stronger of two decisions: deny > ask > allow > none. */
export function stronger(a: Decision, b: Decision): Decision {
  return isStronger(b, a) ? b : a;
}

/**
 * Merges two responses, of which `a` came first. Associative, with `none()` as identity, so that any number of opinions
 * can be folded in handler order. Drops reasons of the losing decision, because telling a model why a denied call was
 * allowed is confusing.
 */
export function merge(a: HookResponse, b: HookResponse): HookResponse {
  const decision = stronger(a.decision, b.decision);
  const merged: Writable = { decision };
  const set = <K extends keyof Writable>(key: K, value: Writable[K] | undefined) => {
    if (value !== undefined) merged[key] = value;
  };
  const winning = [a, b].filter((r) => r.decision === decision);
  const reasons = winning.map((r) => r.reason);
  set('reason', joined(reasons, '\n'));
  // A response without an explanation contributes its reason.
  if (winning.some((r) => r.explanation !== undefined)) {
    const texts = winning.map((r) => r.explanation ?? r.reason);
    set('explanation', joined(texts, '\n'));
  }
  set('context', joined([a.context, b.context], '\n\n'));
  set('systemMessage', joined([a.systemMessage, b.systemMessage], '\n'));
  set('modifyArgs', layered(a.modifyArgs, b.modifyArgs));
  set('halt', joined([a.halt, b.halt], '\n'));
  set('replaceOutput', b.replaceOutput === undefined ? a.replaceOutput : b.replaceOutput);
  set('grants', a.grants && b.grants ? [...a.grants, ...b.grants] : (a.grants ?? b.grants));
  set('llmRequest', layered(a.llmRequest, b.llmRequest));
  set('llmResponse', b.llmResponse ?? a.llmResponse);
  set('toolConfig', layered(a.toolConfig, b.toolConfig));
  set('env', layered(a.env, b.env));
  set('triggerAction', b.triggerAction ?? a.triggerAction);
  set('suppressOutput', b.suppressOutput ?? a.suppressOutput);
  set('native', mergeNative(a.native, b.native));
  set('metadata', layered(a.metadata, b.metadata));
  return merged;
}

/**
 * Combines the response left to the user with their answer. An answer replaces `ask` and no decision, but never lifts a
 * `deny`; without an answer nothing changes.
 */
export function settled(asked: HookResponse, answer: HookResponse): HookResponse {
  if (asked.decision === 'deny' || answer.decision === 'none') return asked;
  const { reason: _, explanation: __, ...rest } = asked;
  return merge({ ...rest, decision: 'none' }, answer);
}

type Writable = { -readonly [K in keyof HookResponse]: HookResponse[K] };

function joined(texts: readonly (string | undefined)[], separator: string): string | undefined {
  const present = texts.filter((text) => text !== undefined && text !== '');
  return present.length === 0 ? undefined : present.join(separator);
}

function layered<T extends object>(a: T | undefined, b: T | undefined): T | undefined {
  return a && b ? { ...a, ...b } : (b ?? a);
}

function mergeNative(a: HookResponse['native'], b: HookResponse['native']): HookResponse['native'] {
  if (!a || !b) return b ?? a;
  const merged: Record<string, Readonly<Record<string, unknown>>> = { ...a };
  for (const [agent, fields] of Object.entries(b)) merged[agent] = { ...merged[agent], ...fields };
  return merged;
}

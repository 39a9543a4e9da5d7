import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Agent } from '../../agents/agent.ts';
import { CALLS_AHEAD, sessionKey } from '../../model/events.ts';
import { eventTitle } from '../../model/subject.ts';
import { oneLine } from '../../model/text.ts';
import type { World } from '../../rules/facts.ts';
import type { Rule } from '../../rules/rule.ts';
import { indexRules } from '../../rules/rule-index.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import type { RecordedCall } from './recorded-calls.ts';
import { createReplay, type Replay } from './replay.ts';

/** A recorded call matched by the saved rule or the draft. */
interface TriedCall {
  readonly id: string;
  readonly at: number;
  readonly source: string;
  readonly subject: string;
  /** Whether the saved rule matches, and whether the draft does. */
  readonly saved: boolean;
  readonly draft: boolean;
}

export interface TriedRule {
  /** Number of calls evaluated. */
  readonly calls: number;
  /** There were more calls than time. */
  readonly cut: boolean;
  readonly hits: readonly TriedCall[];
}

interface TryParts {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly world: Omit<World, 'now' | 'treeOf' | 'unlocked'>;
  readonly timeMs: number;
}

/** Calls wait at most this long, unless one evaluation takes longer; they are answered in between. */
const RUN_MS = 20;
const LONGEST_SUBJECT = 160;

/** What a draft would have decided about recorded calls, compared with the rule that it replaces. Runs nothing. */
export async function tryRule(
  calls: Iterable<RecordedCall>,
  draft: Rule,
  saved: Rule | null,
  { agents, world, timeMs }: TryParts,
): Promise<TriedRule> {
  const replayOf = (rule: Rule) => createReplay({ agents, rules: onlyRule(rule), failure: 'open', world });
  const replays = { draft: replayOf(draft), saved: saved && replayOf(saved) };
  const hits = new Map<string, TriedCall>();
  const until = performance.now() + timeMs;
  const seen = new Set<string>();
  let began = performance.now();
  for (const call of calls) {
    if (performance.now() - began > RUN_MS) {
      await letOthersRun();
      began = performance.now();
      if (began > until) return { calls: seen.size, cut: true, hits: [...hits.values()] };
    }
    const key = keyOf(call);
    if (CALLS_AHEAD.has(call.type)) seen.add(key);
    const hit = await tried(call, replays);
    if (hit && !hits.has(key)) hits.set(key, hit);
  }
  return { calls: seen.size, cut: false, hits: [...hits.values()] };
}

async function tried(
  call: RecordedCall,
  replays: { readonly draft: Replay; readonly saved: Replay | null },
): Promise<TriedCall | null> {
  // Ignores recorded hook opinions; only the rule is evaluated.
  const alone = { ...call, opinions: [] };
  const draft = await replays.draft.replay(alone);
  const saved = await replays.saved?.replay(alone);
  const says = { draft: (draft?.opinions.length ?? 0) > 0, saved: (saved?.opinions.length ?? 0) > 0 };
  if (!says.draft && !says.saved) return null;
  const event = draft?.event ?? saved?.event ?? null;
  const subject = oneLine(event ? eventTitle(event) : call.type, LONGEST_SUBJECT);
  return { id: call.id, at: call.timestamp, source: call.source, subject, ...says };
}

function onlyRule(rule: Rule): RuleSet {
  const inForce = {
    rules: [rule],
    index: indexRules([rule]),
    problems: [],
    unknownDisabledIds: [],
    untrustedRules: [],
  };
  return { inForce: () => inForce, isStale: () => false };
}

/** A call with two approvals is one call. */
function keyOf(call: RecordedCall): string {
  return CALLS_AHEAD.has(call.type) ? `${sessionKey(call)}\0${call.toolNumber}` : call.id;
}

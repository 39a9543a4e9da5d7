import { CALLS_AHEAD, isToolEvent } from '../model/events.ts';
import type { Opinion } from '../model/recording.ts';
import type { ToolCall } from '../model/tools.ts';
import { createFacts, type Facts } from './facts.ts';
import { wordsFor } from './reason.ts';
import type { Rule } from './rule.ts';
import type { RuleIndex } from './rule-index.ts';
import { lineWritten, textWritten } from './written.ts';

/**
 * A script is not run by being written, but it is read by nobody when it is run: what the packs would refuse then is
 * asked about now. What they would only ask about stands in many a script, and is not.
 */
export function opinionsOnWritten(
  facts: Facts,
  index: Pick<RuleIndex, 'candidates'>,
  matches: (rule: Rule, facts: Facts) => boolean,
): Opinion[] {
  const { event, world, memory } = facts;
  const text = facts.tool && CALLS_AHEAD.has(event.type) ? textWritten(facts.tool) : null;
  if (text === null || !isToolEvent(event) || event.type === 'after_tool') return [];
  const lines = facts.tool?.files.flatMap(({ op, path }) =>
    op === 'read' || op === 'delete' ? [] : (lineWritten(path, text) ?? []),
  );
  const [line] = lines ?? [];
  if (line === undefined || line.trim() === '') return [];
  const run = createFacts({ ...event, tool: shellCall(line) }, world, memory);
  const refusing = index.candidates(run).find((rule) => isRefusal(rule) && matches(rule, run));
  if (!refusing) return [];
  const reason = `What is written here would be refused when it runs. ${refusing.response.reason ?? ''}`;
  const asking: Rule = { ...refusing, response: { decision: 'ask', reason } };
  const response = { decision: 'ask' as const, ...wordsFor(asking, event) };
  return [{ kind: 'rule', by: refusing.id, where: refusing.where, response }];
}

/** People's own rules are about what is run. */
function isRefusal({ layer, response, observing, afterRefusal, limit }: Rule): boolean {
  return layer === 'pack' && response.decision === 'deny' && !observing && !afterRefusal && limit === null;
}

function shellCall(command: string): ToolCall {
  const name = { name: 'Bash', nativeName: 'Bash', kind: 'shell' as const };
  return { ...name, input: { command }, useId: null, mcp: null, command, files: [] };
}

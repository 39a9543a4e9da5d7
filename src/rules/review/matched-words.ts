import type { EventOf } from '../../model/events.ts';
import type { ToolCall } from '../../model/tools.ts';
import { analyse } from '../../shell/analyse.ts';
import { createFacts, type World } from '../facts.ts';
import type { Rule } from '../rule.ts';
import { createSessionMemory } from '../session/memory.ts';
import { exampleBase } from './example-event.ts';

type Span = readonly [start: number, end: number];

/** More would take longer than a person waits. */
const MOST_LENGTH = 2_000;
const MOST_WORDS = 40;

interface MatchedCall {
  readonly source: string;
  readonly cwd: string | null;
  readonly tool: ToolCall;
}

/**
 * The words of a command line that the rule needs to match: each is left out in turn. Empty if no single word decides,
 * or if the rule is not about the line alone.
 */
export function matchedWords(rule: Rule, { source, cwd, tool }: MatchedCall, world: World): readonly Span[] {
  const { command } = tool;
  if (command === null || command.length > MOST_LENGTH) return [];
  const applies = (line: string) => {
    const event: EventOf<'before_tool'> = {
      ...exampleBase({ source, cwd }),
      type: 'before_tool',
      tool: { ...tool, command: line },
    };
    return rule.test(createFacts(event, world, createSessionMemory()));
  };
  try {
    if (!applies(command)) return [];
    const words = wordsOf(command);
    if (words.length > MOST_WORDS) return [];
    const needed = words.filter(([start, end]) => !applies(command.slice(0, start) + command.slice(end)));
    return joined(needed, command);
  } catch {
    // Marks are optional: the text says the same without them.
    return [];
  }
}

/** Words as written, with quotes, without operators. */
function wordsOf(command: string): readonly Span[] {
  const spans = analyse(command).commands.map(({ span }) => span);
  return [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"';|&()])+/g)]
    .map(({ 0: word, index }): Span => [index, index + word.length])
    .filter(([start, end]) => spans.some((span) => start >= span.start && end <= span.end));
}

/** Adjacent words are one mark. */
function joined(spans: readonly Span[], command: string): readonly Span[] {
  const marks: [number, number][] = [];
  for (const [start, end] of spans) {
    const last = marks.at(-1);
    if (last && /^\s*$/.test(command.slice(last[1], start))) last[1] = end;
    else marks.push([start, end]);
  }
  return marks;
}

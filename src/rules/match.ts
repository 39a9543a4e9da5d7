import { type HookEvent, isToolEvent } from '../model/events.ts';
import type { ToolCall } from '../model/tools.ts';
import type { Rule } from './rule.ts';

/** Does the rule speak of this event? */
export function matches(rule: Rule, event: HookEvent): boolean {
  if (!rule.on.has(event.type)) return false;
  if (rule.agents && !rule.agents.includes(event.source)) return false;
  if (!rule.tools && !rule.commands) return true;
  if (!isToolEvent(event)) return false;
  const { tool } = event;
  if (rule.tools && !rule.tools.some((name) => name === tool.name || name === tool.nativeName)) return false;
  return !rule.commands || rule.commands.some((pattern) => commandMatches(pattern, tool));
}

/** A plain match of the first words of each command in a line: `git push` matches `cd x && git push -f`. */
function commandMatches(pattern: string, tool: ToolCall): boolean {
  if (tool.command === null) return false;
  const wanted = words(pattern);
  return tool.command.split(/&&|\|\||[;|&\n]/).some((part) => {
    const given = words(part);
    return wanted.every((word, at) => given[at] === word);
  });
}

function words(line: string): string[] {
  return line.split(/\s+/).filter((word) => word !== '');
}

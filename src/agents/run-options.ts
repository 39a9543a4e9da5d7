import type { ToolCall } from '../model/tools.ts';
import type { Agent } from './agent.ts';

/**
 * The arguments of a shell call that change how or where its command runs: without a sandbox, in the background, in
 * another folder. One that we have never seen counts as such.
 */
export function runOptions(
  agent: Pick<Agent, 'shellRemarks'> | undefined,
  { kind, input }: ToolCall,
): Readonly<Record<string, unknown>> {
  if (kind !== 'shell') return {};
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) =>
        name !== 'command' && !agent?.shellRemarks.includes(name) && !ORDINARY.includes(value),
    ),
  );
}

/** An option that is off is not there. */
const ORDINARY: readonly unknown[] = [false, null, undefined, ''];

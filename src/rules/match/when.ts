import { Environment } from '@marcbachmann/cel-js';
import type { Facts } from '../facts.ts';

/** What an expression can speak of. */
const environment = new Environment()
  .registerVariable('event', 'map')
  .registerVariable('tool', 'map')
  .registerVariable('commands', 'list')
  .registerVariable('effects', 'list');

export type Expression = (facts: Facts) => boolean;

/** The expression, or what is wrong with its text. */
export function parseWhen(text: string): Expression | { readonly problem: string } {
  let evaluate: (context: Record<string, unknown>) => unknown;
  try {
    const parsed = environment.parse(text);
    const checked = parsed.check();
    if (!checked.valid) return { problem: messageOf(checked.error) };
    evaluate = parsed;
  } catch (error) {
    return { problem: messageOf(error) };
  }
  return (facts) => {
    const result = evaluate(contextOf(facts));
    if (typeof result !== 'boolean')
      throw new Error(`"${text}" is neither true nor false but ${typeof result}`);
    return result;
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? 'not an expression') : 'not an expression';
}

const contexts = new WeakMap<Facts, Record<string, unknown>>();

/** The same for all expressions that are asked about one event. */
function contextOf(facts: Facts): Record<string, unknown> {
  let context = contexts.get(facts);
  if (!context) {
    context = makeContext(facts);
    contexts.set(facts, context);
  }
  return context;
}

function makeContext(facts: Facts): Record<string, unknown> {
  const { event, tool, world } = facts;
  const { native: _, ...plain } = event;
  const analysis = facts.analysis();
  return {
    event: {
      ...plain,
      agent: event.source,
      branch: event.cwd === null ? null : world.branchOf(event.cwd),
    },
    tool: tool === null ? {} : { ...tool, input: tool.input },
    commands: (analysis?.commands ?? []).map((command) => ({
      name: command.tool ?? '',
      sub: command.sub,
      options: command.options.map(({ name }) => name),
      args: command.operands.map(({ template }) => template),
      via: command.via,
    })),
    effects: analysis?.effects ?? [],
  };
}

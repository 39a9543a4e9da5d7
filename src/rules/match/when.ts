import { Environment } from '@marcbachmann/cel-js';
import { messageOf } from '../../model/errors.ts';
import { rememberPer } from '../../platform/bounded.ts';
import { UNKNOWN } from '../../shell/analysis.ts';
import { withoutUnknown } from '../../shell/placeholders.ts';
import type { Facts } from '../facts.ts';
import { ignoredIn } from './ignored.ts';

/** Variables that expressions can use. */
const environment = new Environment()
  .registerVariable('event', 'map')
  .registerVariable('tool', 'map')
  .registerVariable('commands', 'list')
  .registerVariable('effects', 'list')
  .registerVariable('why', 'list');

type Expression = (facts: Facts) => boolean;

/** The expression, or the problem with its text. */
export function parseWhen(text: string): Expression | { readonly problem: string } {
  let evaluate: (context: Record<string, unknown>) => unknown;
  try {
    const parsed = environment.parse(text);
    const checked = parsed.check();
    if (!checked.valid) return { problem: messageOf(checked.error) };
    evaluate = parsed;
  } catch (error) {
    return { problem: messageOf(error).split('\n')[0] ?? 'not an expression' };
  }
  return (facts) => {
    const result = evaluate(contextOf(facts));
    if (typeof result !== 'boolean') throw new Error(`"${text}" is ${typeof result}, not true or false`);
    return result;
  };
}

/** Shared by all expressions for one event. */
const contextOf = rememberPer(makeContext);

function makeContext(facts: Facts): Record<string, unknown> {
  const { event, tool, cwd } = facts;
  const { native: _, ...plain } = event;
  const analysis = facts.analysis();
  return {
    event: {
      ...plain,
      agent: event.source,
      // A getter, because most expressions don't need the branch and finding it costs file reads.
      get branch() {
        return cwd === null ? null : facts.branchOf(cwd);
      },
      get ignored() {
        const { project } = facts.scope();
        return project === null ? [] : ignoredIn(project, facts);
      },
    },
    tool: tool === null ? {} : { ...tool, input: tool.input },
    commands: (analysis?.commands ?? []).map((command) => ({
      name: command.tool ?? '',
      sub: command.sub,
      options: command.options.map(({ name }) => name),
      // Expressions don't see where an unknown part comes from.
      args: command.operands.map(({ template }) => withoutUnknown(template, UNKNOWN)),
      via: command.via,
      pipeline: command.pipeline,
      inert: command.inert,
    })),
    effects: analysis?.effects ?? [],
    why: analysis?.why ?? [],
  };
}

import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { applyEdits } from '../../agents/setup/journal.ts';
import { type Detection, type FileEdit, type SetupContext, scopesOf } from '../../agents/setup/setup.ts';
import { installForwarder } from '../../forwarder/install.ts';
import { configInForce } from '../../home/confirmed/in-force.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { setupContext } from '../agents/context.ts';
import { forwarderSource } from '../forwarder-source.ts';
import { editLines, editSummary } from '../output/diff.ts';
import { paint } from '../output/paint.ts';
import { withSpinner } from '../output/spinner.ts';

/** The changes that setup would make for one agent. Nothing is written. */
export interface SetupPlan {
  readonly agent: Agent;
  readonly found: Detection;
  readonly edits: readonly FileEdit[];
  /** If the agent has a plugin, an extension or a package of ours: why nothing is written. */
  readonly wrapped: string | null;
}

/** @param detected what is known of the client; without it, it is asked */
export async function planSetup(
  agent: Agent,
  context: SetupContext,
  detected?: Detection,
): Promise<SetupPlan> {
  const found = detected ?? (await agent.setup.detect(context));
  return { agent, found, edits: agent.setup.plan(context), wrapped: wrappedNote(agent, context) };
}

function wrappedNote({ setup: { wrapper } }: Agent, context: SetupContext): string | null {
  if (!wrapper || wrapper.hooksPath(context) === null) return null;
  return `Already set up through the ${wrapper.noun} (uninstall with ${wrapper.uninstall}).`;
}

/** All agents on this machine. Looks for all at once, and says in a terminal which it still waits for. */
export async function installedAgents(paths: HomePaths): Promise<ReadonlyMap<Agent, Detection>> {
  return withSpinner('Looking for agents', async (say) => {
    const waiting = new Set([...AGENTS.values()].map(({ label }) => label));
    const found = await Promise.all(
      [...AGENTS.values()].map(async (agent) => {
        const detected = await agent.setup.detect(setupContext(paths, scopesOf(agent.setup)[0]));
        waiting.delete(agent.label);
        say([...waiting].join(', '));
        return [agent, detected] as const;
      }),
    );
    return new Map(found.filter(([, { installed }]) => installed));
  });
}

/** The same; throws if there are none. */
export async function requireInstalled(paths: HomePaths): Promise<ReadonlyMap<Agent, Detection>> {
  const agents = await installedAgents(paths);
  if (agents.size > 0) return agents;
  throw new HooklineError('AGENT_MISSING', 'No supported agent found on PATH.', {
    hint: `Install one, or name the agent to prepare: ${[...AGENTS.keys()].join(', ')}.`,
  });
}

/** The agent and its changes. */
export function summaryLines({ agent, found, edits, wrapped }: SetupPlan): string[] {
  const name = found.installed
    ? [paint.bold(agent.label), found.version, paint.dim(`(${found.path})`)].filter(Boolean).join(' ')
    : `${paint.bold(agent.label)} ${paint.yellow('is not on PATH; its settings are written anyway.')}`;
  const nothing = edits.length === 0 ? 'Already up to date.' : null;
  const note = wrapped ?? nothing;
  return [name, ...[...(note === null ? [] : [note]), ...edits.map(editSummary)].map((line) => `  ${line}`)];
}

/** The full diff. */
export function diffLines(plans: readonly SetupPlan[]): string[] {
  return plans.flatMap(({ edits }) => edits.flatMap(editLines));
}

/** Writes the plans, and the forwarder that the hooks call. */
export function applyPlans(
  plans: readonly SetupPlan[],
  paths: HomePaths,
): ReturnType<typeof installForwarder> {
  const forwarder = installForwarder(paths.root, forwarderSource(configInForce(paths)));
  for (const { edits } of plans) applyEdits(edits, paths.setup);
  return forwarder;
}

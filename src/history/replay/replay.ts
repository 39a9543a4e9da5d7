import type { Agent } from '../../agents/agent.ts';
import { type Decided, decide } from '../../engine/decide.ts';
import type { Handler } from '../../model/deciding.ts';
import { DecodeError } from '../../model/errors.ts';
import { type EventType, type HookEvent, projectFolderOf } from '../../model/events.ts';
import { type FailureMode, responseToFailure } from '../../model/failure.ts';
import { merge } from '../../model/merge.ts';
import { type HookResponse, none } from '../../model/responses.ts';
import { remember } from '../../platform/bounded.ts';
import type { World } from '../../rules/facts.ts';
import { createRulesHandler } from '../../rules/handler.ts';
import type { RuleSet, RulesInForce } from '../../rules/rule-set.ts';
import { createSessionMemory } from '../../rules/session/memory.ts';
import type { RecordedCall } from './recorded-calls.ts';

interface ReplayOptions {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly rules: RuleSet;
  readonly failure: FailureMode;
  /** What the rules may look at. Nothing of it may do anything. */
  readonly world: Omit<World, 'now' | 'treeOf' | 'unlocked'>;
}

/** What some rules would have said to a recorded call. */
interface Replayed extends Decided {
  /** Null if no rule could match, so that none was evaluated. */
  readonly event: HookEvent | null;
  /** A rule wanted to look at files as they were then, and may have allowed the call by them. */
  readonly unsure: boolean;
}

export interface Replay {
  /** Null for a call that cannot be read back. Calls have to come in the order in which they happened. */
  replay(call: RecordedCall): Promise<Replayed | null>;
  /** How many calls a rule needed facts about that are unknown by now. */
  readonly unknowable: { readonly tree: number; readonly branch: number; readonly files: number };
}

/**
 * Evaluates recorded calls by the same steps as live ones, without side effects: hooks return what they returned then,
 * and no person is asked.
 */
export function createReplay({ agents, rules, failure, world }: ReplayOptions): Replay {
  let now = 0;
  let recorded: Decided['opinions'] = [];
  const asked = { tree: false, branch: false, files: false };
  const unknowable = { tree: 0, branch: 0, files: 0 };
  const inForce = remember((project: string | null) => withTypes(rules.inForce(project)));
  const rulesHandler = createRulesHandler({
    rulesFor: (event) => inForce(projectFolderOf(event)),
    world: worldThen(world, () => now, asked),
    memory: createSessionMemory(),
    failed: (event, what) => responseToFailure(event.type, failure, what),
  });
  const hooks: Handler = { name: 'hooks', budgetMs: null, guards: false, decide: () => recorded };

  return {
    unknowable,
    async replay(call) {
      const { types, problems } = inForce(call.projectFolder);
      recorded = call.opinions.filter(({ kind }) => kind === 'hook');
      // What has happened is remembered, whether or not a rule speaks about it.
      if (problems.length === 0 && !types.has(call.type) && call.type !== 'after_tool')
        return { event: null, response: mergedResponse(recorded), opinions: recorded, unsure: false };
      const agent = agents.get(call.source);
      const event = agent && readBack(agent, call);
      if (!event) return null;
      now = call.timestamp;
      asked.tree = false;
      asked.branch = false;
      asked.files = false;
      const decided = await decide(event, agent, [rulesHandler, hooks], { failure });
      if (asked.tree) unknowable.tree += 1;
      if (asked.branch) unknowable.branch += 1;
      const unsure = asked.files && wasAllowed(call, decided.response);
      if (unsure) unknowable.files += 1;
      return { event, response: decided.response, opinions: decided.opinions, unsure };
    },
  };
}

/** True if rules allowed the call then, and nothing denies it now. */
function wasAllowed({ opinions }: RecordedCall, { decision }: HookResponse): boolean {
  return decision === 'none' && mergedResponse(opinions).decision === 'allow';
}

/** The world as far as it is known of then; takes note of what was asked that is not. */
function worldThen(
  world: ReplayOptions['world'],
  now: () => number,
  asked: { tree: boolean; branch: boolean; files: boolean },
): World {
  const branchOf = remember(world.branchOf);
  // Of all files of a folder, the folder is followed once.
  const seen = { ofFolder: (folder: string): string => real(folder), missing: new Set<string>() };
  const real = remember((path: string) => world.real(path, seen));
  const unknown = <T>(answer: T) => {
    asked.files = true;
    return answer;
  };
  return {
    home: world.home,
    now,
    real,
    branchOf: (folder) => {
      asked.branch = true;
      return branchOf(folder);
    },
    // Telling it takes a program, and it would tell of today.
    treeOf: () => {
      asked.tree = true;
      return null;
    },
    treeRoot: () => unknown(null),
    startsPrograms: () => unknown(true),
    namesIn: () => unknown(null),
    filesBelow: () => unknown(null),
    runOptions: world.runOptions,
    ...(world.readingTools ? { readingTools: world.readingTools } : {}),
    unlocked: () => false,
  };
}

/** What several opinions come to, before any person was asked. */
export function mergedResponse(opinions: Decided['opinions']): HookResponse {
  return opinions
    .filter(({ kind, observing }) => kind !== 'approval' && observing !== true)
    .reduce((response, opinion) => merge(response, opinion.response), none());
}

/** The event as it was, from what the agent sent; null when that is no longer readable. */
export function readBack(agent: Agent, call: RecordedCall): HookEvent | null {
  if (call.native === null) return null;
  try {
    const event = agent.decode({
      id: call.id,
      receivedAt: call.timestamp,
      event: call.nativeEvent,
      payload: JSON.parse(call.native),
      env: {},
    });
    return Object.assign(event, {
      sessionId: call.sessionId,
      cwd: call.cwd,
      projectId: call.projectId,
      projectFolder: call.projectFolder,
      agentId: call.agentId,
      sequence: call.sequence,
      promptNumber: call.promptNumber,
      toolNumber: call.toolNumber,
    });
  } catch (error) {
    if (error instanceof DecodeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Rules do not change while history is gone through, so each project is looked at once. */
function withTypes(inForce: RulesInForce): RulesInForce & { readonly types: ReadonlySet<EventType> } {
  const types = new Set(inForce.rules.flatMap(({ on, tellsOn }) => [...on, ...tellsOn]));
  return { ...inForce, types };
}

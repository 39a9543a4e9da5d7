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
  /** What the rules may read. It must have no side effects. */
  readonly world: Omit<World, 'now' | 'treeOf' | 'unlocked'>;
}

/** What some rules would have decided about a recorded call. */
interface Replayed extends Decided {
  /** Null if no rule could match, so none was evaluated. */
  readonly event: HookEvent | null;
  /** A rule needed the files as they were then, and might have allowed the call because of them. */
  readonly unsure: boolean;
}

export interface Replay {
  /** Null for a call that can't be parsed. Calls must be passed in order of time. */
  replay(call: RecordedCall): Promise<Replayed | null>;
  /** Number of calls for which a rule needed facts that are unknown now. */
  readonly unknowable: { readonly tree: number; readonly branch: number; readonly files: number };
}

/**
 * Evaluates recorded calls in the same steps as live ones, without side effects: hooks return what they returned
 * then, and no person is asked.
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
      // Session state is updated even if no rule matches.
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

/** The world at that time, as far as known; notes requests for unknown facts. */
function worldThen(
  world: ReplayOptions['world'],
  now: () => number,
  asked: { tree: boolean; branch: boolean; files: boolean },
): World {
  const branchOf = remember(world.branchOf);
  // A directory's links are resolved once for all of its files.
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
    // Requires running a program, and would show today's state.
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

/** The merged result of several opinions, before any person was asked. */
export function mergedResponse(opinions: Decided['opinions']): HookResponse {
  return opinions
    .filter(({ kind, observing }) => kind !== 'approval' && observing !== true)
    .reduce((response, opinion) => merge(response, opinion.response), none());
}

/** The original event from the agent's payload; null if that is no longer readable. */
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

/** Rules don't change while history is replayed, so each project is loaded once. */
function withTypes(inForce: RulesInForce): RulesInForce & { readonly types: ReadonlySet<EventType> } {
  const types = new Set(inForce.rules.flatMap(({ on, tellsOn }) => [...on, ...tellsOn]));
  return { ...inForce, types };
}

import type { Handler } from '../model/deciding.ts';
import { type EventType, type HookEvent, sessionKey } from '../model/events.ts';
import type { Opinion } from '../model/recording.ts';
import { deny } from '../model/responses.ts';
import { createTurnEndBudget, REFUSALS_PER_TURN, spent } from '../model/turn-end.ts';
import { BoundedMap } from '../platform/bounded.ts';

/** Conditions for a session's turn to end, set by a person for that session. */
interface StandingGates {
  readonly untested: boolean;
  readonly dirty: boolean;
}

/** State that gates check. */
interface GateWorld {
  /** True if files changed after the last passing test run. */
  untested(event: HookEvent): boolean;
  /** True if there are uncommitted changes. */
  dirty(event: HookEvent): boolean;
}

export interface Gates {
  readonly handler: Handler;
  /** Denies the next stop of the session, once, with this message. */
  keepGoing(source: string, sessionId: string, message: string): void;
  stand(source: string, sessionId: string, gates: StandingGates): void;
  standing(source: string, sessionId: string): StandingGates;
}

const TURN_ENDS: ReadonlySet<EventType> = new Set(['stop', 'after_agent', 'subagent_stop']);
const REMEMBERED_SESSIONS = 500;
const OPEN: StandingGates = { untested: false, dirty: false };

interface Session {
  message: string | null;
  standing: StandingGates;
}

/** "Keep going" from a person while an agent works, and gates that stay active. */
export function createGates(world: GateWorld): Gates {
  const sessions = new BoundedMap<string, Session>(REMEMBERED_SESSIONS);
  const budget = createTurnEndBudget();

  function sessionOf(source: string, sessionId: string): Session {
    const key = sessionKey({ source, sessionId });
    const found = sessions.get(key) ?? { message: null, standing: OPEN };
    sessions.set(key, found);
    return found;
  }

  function decide(event: HookEvent): readonly Opinion[] {
    const session = TURN_ENDS.has(event.type) ? sessions.get(sessionKey(event)) : undefined;
    if (!session) return [];
    if (session.message !== null) {
      const { message } = session;
      session.message = null;
      return [opinion('keep going', message)];
    }
    const demand = event.agentId === null ? demandOf(session.standing, event) : null;
    if (demand === null) return [];
    const refusal = opinion('gate', demand);
    return [budget.spend(event) ? refusal : spent(refusal, REFUSALS_PER_TURN)];
  }

  function demandOf(standing: StandingGates, event: HookEvent): string | null {
    if (standing.untested && world.untested(event))
      return 'Files changed after the last passing test run. Run the tests by themselves, without a pipe that hides their exit code, and fix failures.';
    if (standing.dirty && world.dirty(event))
      return 'There are uncommitted changes. Commit them, or explain why not.';
    return null;
  }

  return {
    handler: { name: 'gates', budgetMs: null, guards: false, decide },
    keepGoing(source, sessionId, message) {
      sessionOf(source, sessionId).message = message;
    },
    stand(source, sessionId, standing) {
      sessionOf(source, sessionId).standing = standing;
    },
    standing: (source, sessionId) => sessions.get(sessionKey({ source, sessionId }))?.standing ?? OPEN,
  };
}

function opinion(by: string, reason: string): Opinion {
  return { kind: 'approval', by, where: null, response: deny(reason) };
}

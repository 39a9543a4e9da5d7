import type { Handler } from '../engine/decide.ts';
import type { Opinion } from '../engine/record.ts';
import type { EventType, HookEvent } from '../model/events.ts';
import { deny } from '../model/responses.ts';

/** What must be true before a session's turn may end, as a person has switched it on for that session. */
export interface StandingGates {
  readonly untested: boolean;
  readonly dirty: boolean;
}

/** What gates look at. */
export interface GateWorld {
  /** Files were changed after the last test run that passed. */
  untested(event: HookEvent): boolean;
  /** There are changes that are not committed. */
  dirty(event: HookEvent): boolean;
}

export interface Gates {
  readonly handler: Handler;
  /** Do not stop: go on with this. Holds for the next end of a turn, once. */
  keepGoing(source: string, sessionId: string, message: string): void;
  stand(source: string, sessionId: string, gates: StandingGates): void;
  standing(source: string, sessionId: string): StandingGates;
}

const TURN_ENDS: ReadonlySet<EventType> = new Set(['stop', 'after_agent', 'subagent_stop']);
/** An agent that cannot do what the gates want must get out in the end. */
const REFUSALS_PER_TURN = 3;
const REMEMBERED_SESSIONS = 500;
const OPEN: StandingGates = { untested: false, dirty: false };

interface Session {
  message: string | null;
  standing: StandingGates;
  refused: { prompt: number; times: number };
}

/** "Keep going", said by a person while an agent works, and gates that a person leaves standing. */
export function createGates(world: GateWorld): Gates {
  const sessions = new Map<string, Session>();
  const keyOf = (source: string, sessionId: string) => `${source}\0${sessionId}`;

  function sessionOf(source: string, sessionId: string): Session {
    const key = keyOf(source, sessionId);
    const found = sessions.get(key) ?? { message: null, standing: OPEN, refused: { prompt: 0, times: 0 } };
    sessions.delete(key);
    sessions.set(key, found);
    const oldest = sessions.size > REMEMBERED_SESSIONS ? sessions.keys().next() : null;
    if (oldest && !oldest.done) sessions.delete(oldest.value);
    return found;
  }

  function decide(event: HookEvent): readonly Opinion[] {
    const session = TURN_ENDS.has(event.type)
      ? sessions.get(keyOf(event.source, event.sessionId))
      : undefined;
    if (!session) return [];
    if (session.message !== null) {
      const { message } = session;
      session.message = null;
      return [opinion('keep going', message)];
    }
    const demand = event.agentId === null ? demandOf(session.standing, event) : null;
    if (demand === null || !mayRefuse(session, event)) return [];
    return [opinion('gate', demand)];
  }

  function demandOf(standing: StandingGates, event: HookEvent): string | null {
    if (standing.untested && world.untested(event))
      return 'Files were changed after the last test run. Run the tests, and mend what fails.';
    if (standing.dirty && world.dirty(event))
      return 'There are changes that are not committed. Commit them, or say why not.';
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
    standing: (source, sessionId) => sessions.get(keyOf(source, sessionId))?.standing ?? OPEN,
  };
}

function mayRefuse(session: Session, event: HookEvent): boolean {
  if (session.refused.prompt !== event.promptNumber)
    session.refused = { prompt: event.promptNumber, times: 0 };
  session.refused.times += 1;
  return session.refused.times <= REFUSALS_PER_TURN;
}

function opinion(by: string, reason: string): Opinion {
  return { kind: 'approval', by, where: null, response: deny(reason) };
}

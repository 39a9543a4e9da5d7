import type { Handler } from '../../model/deciding.ts';
import { messageOf } from '../../model/errors.ts';
import { type HookEvent, sessionKey } from '../../model/events.ts';
import type { Log } from '../../model/log.ts';
import type { Opinion } from '../../model/recording.ts';
import { context } from '../../model/responses.ts';
import { BoundedSet } from '../../platform/bounded.ts';
import type { Database } from '../../store/database/driver.ts';
import { memoryPack } from './pack.ts';

const REMEMBERED_SESSIONS = 500;

interface MemoryParts {
  readonly db: Database;
  settings(): { readonly on: boolean; readonly tokens: number };
  /** Processes stored events, up to a time limit. */
  catchUp(mostMs: number): Promise<unknown>;
  readonly log: Log;
}

/** A new session waits no longer than this for the newest events to be processed. */
const CATCH_UP_MS = 300;

/** Tells a new or compacted session what happened in its project before. */
export function createMemoryHandler({ db, settings, catchUp, log }: MemoryParts): Handler {
  /** Sessions that got context and are about to lose it. */
  const forgetting = new BoundedSet<string>(REMEMBERED_SESSIONS);

  /** Clients announce a compaction, then report it, start the session again, or both. */
  function isDue(event: HookEvent, key: string): boolean {
    if (event.type === 'pre_compact') forgetting.add(key);
    if (event.type === 'session_start') {
      forgetting.delete(key);
      return true;
    }
    return event.type === 'post_compact' && forgetting.delete(key);
  }

  async function told(request: Parameters<typeof memoryPack>[1]): Promise<readonly Opinion[]> {
    try {
      await catchUp(CATCH_UP_MS);
    } catch (error) {
      // What was processed before is still worth telling.
      log('error', `can't process events: ${messageOf(error)}`);
    }
    const text = memoryPack(db, request, Date.now());
    return text === null ? [] : [{ kind: 'hook', by: 'memory', where: null, response: context(text) }];
  }

  return {
    name: 'memory',
    budgetMs: null,
    guards: false,
    decide(event) {
      // A subagent gets its task from the main agent.
      if (event.agentId !== null || !isDue(event, sessionKey(event))) return [];
      const { on, tokens } = settings();
      if (!on || event.projectId === null) return [];
      const compacted =
        event.type === 'post_compact' || (event.type === 'session_start' && event.trigger === 'compact');
      const session = compacted ? null : event.sessionId;
      return told({ project: event.projectId, tokens, session });
    },
  };
}

import * as v from 'valibot';
import type { RunPolicy } from '../../approvals/runs.ts';
import type { Client as Daemon } from '../../client/client.ts';
import { followHistory, readHistory } from '../../client/history.ts';
import { lockHolder } from '../../home/daemon/lock-holder.ts';
import type { HomePaths } from '../../home/paths.ts';
import { sessionKey } from '../../model/events.ts';
import type { Database } from '../../store/database/driver.ts';
import { waitingApprovals } from '../../store/read/approvals.ts';
import { listEvents } from '../../store/read/queries.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import { isPartOfRun, runIn } from '../../wire/run-id.ts';
import { runAgent } from './agent-process.ts';
import { environment } from './environment.ts';
import { mainSession, runEndingOf } from './outcome.ts';
import type { Runnable } from './prepare.ts';
import type { RunPrinter } from './printer.ts';
import { type RunResult, resultOf } from './result.ts';
import { summaryOf } from './summary.ts';

interface RunPlan extends Runnable {
  readonly paths: HomePaths;
  readonly daemon: Daemon;
  readonly args: readonly string[];
  readonly policy: RunPolicy;
  readonly timeoutMs: number | null;
  readonly printer: RunPrinter;
}

const Started = v.object({ id: v.string() });

/** Runs an agent on a prompt, prints its calls, and reports how it ended. */
export async function runUnderPolicy(plan: RunPlan): Promise<RunResult> {
  const { agent, client, program, args, paths, daemon, policy, timeoutMs, printer } = plan;
  const within = runIn(process.env);
  const { id: run } = v.parse(Started, await daemon.post('/api/runs', { ...policy, within }));
  const began = Date.now();
  const following = await followRun(paths, run, printer);
  const ended = await runAgent({
    program,
    args,
    cwd: process.cwd(),
    env: environment(process.env, client, run),
    run,
    timeoutMs,
    spared: () => lockHolder(paths),
  }).finally(following.stop);
  const events = following.events();
  const main = mainSession(events, agent.id);
  const summary = summaryOf(agent, main, began);
  return resultOf({
    ...runEndingOf(main, ended, agent.label, summary.lastMessage),
    ...summary,
    agent: agent.id,
    sessionId: main[0]?.sessionId ?? null,
    runId: run,
    events,
    agentExitCode: ended.code,
    durationMs: Date.now() - began,
  });
}

interface FollowedRun {
  events(): readonly StoredEvent[];
  /** Reads the events that have finished, and stops. */
  stop(): Promise<void>;
}

async function followRun(paths: HomePaths, run: string, printer: RunPrinter): Promise<FollowedRun> {
  let last = await readHistory(paths, (db) => listEvents(db, { newest: true, limit: 1 })[0]?.row ?? 0);
  const events: StoredEvent[] = [];
  const sessions = new Set<string>();
  const onEvent = (event: StoredEvent) => {
    last = event.row;
    if (!isPartOfRun(event.event.workflowId, run)) return;
    events.push(event);
    sessions.add(sessionKey(event));
    printer.event(event);
  };
  const onLook = (db: Database) => {
    const waiting = waitingApprovals(db, {}, Date.now()).filter((one) => sessions.has(sessionKey(one)));
    if (waiting.length > 0) printer.waiting(waiting);
  };
  const leaving = new AbortController();
  const following = followHistory(paths, last, onEvent, leaving.signal, onLook);
  return {
    events: () => events,
    async stop() {
      leaving.abort();
      await following;
      await readHistory(paths, (db) => listEvents(db, { afterRow: last }).forEach(onEvent));
    },
  };
}

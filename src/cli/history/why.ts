import { type Approval, NOT_DELIVERED } from '../../approvals/approval.ts';
import { readHistory } from '../../client/history.ts';
import { toBrief } from '../../history/calls/event-brief.ts';
import { itemWith, listItems } from '../../history/calls/list-calls.ts';
import { type Row, rowOf } from '../../history/calls/row.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { OWN_SOURCE } from '../../model/people/access.ts';
import type { Opinion } from '../../model/recording.ts';
import { reasonForPerson } from '../../model/responses.ts';
import { minuteOf, timeTaken } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import { approvalOfEvent, waitingApprovals } from '../../store/read/approvals.ts';
import { problemOf, toPublicEvent } from '../../store/read/public-event.ts';
import { findEvent } from '../../store/read/queries.ts';
import { shortEventId } from '../../store/read/short-id.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import { folded } from '../../terminal/fold.ts';
import { defineCommand, flag, usage } from '../command.ts';
import { verdict } from '../output/event-line.ts';
import { paint } from '../output/paint.ts';
import { paintedOutcome } from '../output/row-line.ts';

export default defineCommand({
  name: 'why',
  summary:
    "Explain one decision: who decided what, the answer to the agent, and what the agent couldn't carry out.",
  words: '<id>',
  options: {
    last: flag('The last call that was denied, needed approval or failed.'),
    json: flag('As one JSON object.'),
  },
  examples: [
    ['hookline why 3fa9c2', 'the ID at the end of a row of `hookline events`'],
    ['hookline why --last', 'the last denied call'],
  ],
  async run({ json, last }, [id]) {
    if (id === undefined && !last)
      throw usage('why', 'Missing event ID. Run `hookline events` to see the IDs, or pass --last.');
    const found = await readHistory(homePaths(), (db) => {
      const now = Date.now();
      const event = id === undefined ? lastDecided(db, now) : findEvent(db, id);
      if (event === null && id !== undefined) requireNotWaiting(db, id, now);
      const item = event && itemWith(db, toBrief(event), now);
      return event && item ? { event, row: rowOf(item), asked: approvalOfEvent(db, event.id) } : null;
    });
    if (!found) throw nothingToExplain(id);
    const { event, row, asked } = found;
    if (json) {
      const { opinions, answer, native, event: decoded } = event;
      const call = { outcome: row.outcome, words: row.words };
      console.log(
        JSON.stringify({ ...toPublicEvent(event), call, opinions, answer, event: decoded, native }),
      );
    } else {
      console.log(explanation(event, row, asked).join('\n'));
    }
    return 0;
  },
});

/** More than are ever pending at the same time. */
const RECENT = 50;

function lastDecided(db: Database, now: number): StoredEvent | null {
  // A pending call is not in the history, and its decision is unknown.
  const fates = ['denied', 'asked', 'failed'] as const;
  const items = listItems(db, { ofAgents: true, fates, limit: RECENT }, now);
  return items.reduceRight<StoredEvent | null>((found, item) => found ?? findEvent(db, rowOf(item).id), null);
}

/** A row of the list has an ID even while its call is pending. */
function requireNotWaiting(db: Database, id: string, now: number): void {
  const waits = waitingApprovals(db, {}, now).find(
    ({ eventId }) => eventId.startsWith(id) || shortEventId(eventId) === id,
  );
  if (!waits) return;
  throw new HooklineError('NOT_FOUND', 'This call is still pending approval.', {
    hint: `Run \`hookline approve ${waits.id}\` or \`hookline deny ${waits.id}\` to answer it. \`hookline approvals\` shows it.`,
  });
}

function nothingToExplain(id: string | undefined): HooklineError {
  return id === undefined
    ? new HooklineError('NOT_FOUND', 'No call was denied, needed approval or failed.')
    : new HooklineError('NOT_FOUND', `Unknown event ${id}.`, {
        hint: 'Run `hookline events` to see the IDs.',
      });
}

function explanation(event: StoredEvent, row: Row, asked: Approval | null): string[] {
  const { tool, response, opinions, degraded } = event;
  const problem = problemOf(event);
  const reason = reasonForPerson(response);
  const place = [event.source, row.place, toBrief(event).branch, minuteOf(row.at)]
    .filter(Boolean)
    .join(' · ');
  return [
    `${paint.bold(row.name)} ${row.subject}`.trimEnd(),
    `  ${[paintedOutcome(row.outcome, row.words), paint.dim(place)].filter(Boolean).join('  ')}`,
    ...(problem !== null ? [`  ${paint.yellow('could not be read')}: ${problem}`] : []),
    ...(tool ? [paint.dim(`  ${JSON.stringify(tool.input)}`)] : []),
    '',
    folded(`${paint.bold('Decision')}  ${verdict(response.decision)}${reason ? `: ${reason}` : ''}`, 2),
    ...(opinions.length === 0 && response.decision === 'none'
      ? ["  No decision. The agent's own permissions applied."]
      : []),
    ...opinions.map((one) => folded(opinionLine(one, reason), 4)),
    '',
    `${paint.bold('Sent to the agent')}  ${sentLine(event)}`,
    ...(asked?.delivered === false ? [`  ${paint.yellow(NOT_DELIVERED)}`] : []),
    ...degraded.map((one) => folded(`  ${paint.yellow('not delivered:')} ${one.effect}. ${one.reason}`, 4)),
    '',
    paint.dim(
      folded(
        `${event.source === OWN_SOURCE ? '' : `${times(event, row)} `}Event ${event.type}, ${event.id}, session ${event.sessionId || 'unknown'}.`,
      ),
    ),
  ];
}

/** Hookline records what it denied itself, such as a command of an agent that only a person can run. */
function sentLine({ source, answer }: StoredEvent): string {
  if (source === OWN_SOURCE) return 'nothing, because no agent asked';
  return answer === null || answer.action === 'passthrough'
    ? 'nothing (no decision)'
    : JSON.stringify(answer);
}

/** The rest of an opinion; the text for the model is in the answer that was sent. */
function opinionLine(
  { kind, by, where, response, problem, observing, spent, tookMs }: Opinion,
  shown?: string,
): string {
  const { decision, reason: _, explanation: __, ...more } = response;
  const own = reasonForPerson(response);
  const parts = [
    own !== undefined && own !== shown ? `: ${own}` : '',
    Object.keys(more).length > 0 ? ` ${JSON.stringify(more)}` : '',
    observing && !spent ? paint.dim(' observe mode') : '',
    problem ? paint.yellow(` ${problem}`) : '',
    tookMs === undefined ? '' : paint.dim(` ${timeTaken(tookMs)}`),
  ];
  return `  ${kind} ${paint.bold(by)}${where ? paint.dim(` (${where})`) : ''}: ${verdict(decision)}${parts.join('')}`;
}

/** Excludes the time of the person and of the tool. */
function times(event: StoredEvent, { durationMs }: Row): string {
  const { costMs, waitedMs } = toBrief(event);
  const parts = [
    `Hookline took ${timeTaken(costMs)}`,
    ...(waitedMs > 0 ? [`waited ${timeTaken(waitedMs)} for an answer`] : []),
    ...(durationMs === null ? [] : [`the tool ran for ${timeTaken(durationMs)}`]),
  ];
  return `${parts.join(', ')}.`;
}

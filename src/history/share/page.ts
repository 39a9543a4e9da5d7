import { createHash } from 'node:crypto';
import type { Agent } from '../../agents/agent.ts';
import type { Approval } from '../../approvals/approval.ts';
import type { Change } from '../../model/changes.ts';
import { type HookResponse, reasonForPerson } from '../../model/responses.ts';
import { counted, timeTaken } from '../../model/text.ts';
import type { StoredSession } from '../../store/read/queries.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import type { Call, Item } from '../calls/calls.ts';
import { toBrief } from '../calls/event-brief.ts';
import { type CallDetail, callDetail } from '../calls/event-detail.ts';
import { isStory, type Row, rowOf } from '../calls/row.ts';
import { type Turn, turnsOf } from '../calls/turns.ts';
import { withWaiting } from '../calls/waiting.ts';
import { type Html, html } from './html.ts';
import { STYLE } from './style.ts';

/** Enough output to understand the result of a call. */
const MOST_OUTPUT = 6_000;

/** A session as a self-contained page: no script, nothing to load. `clean` removes private parts from every text. */
export function sharePage(
  session: StoredSession,
  events: readonly StoredEvent[],
  agents: ReadonlyMap<string, Agent>,
  clean: (text: string) => string,
  now: number,
  waiting: readonly Approval[] = [],
): string {
  const byId = new Map(events.map((event) => [event.id, event]));
  const turns = turnsOf(withWaiting(events.map(toBrief), waiting), now);
  const title = turns.find(({ prompt }) => prompt !== null)?.prompt ?? 'A session';
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
  const context: Context = { byId, agents, clean };
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>${clean(title)}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<h1>${clean(title)}</h1>
<p class="quiet">${session.source}, ${iso(session.startedAt)}, ${counted(session.promptNumber, 'prompt')}, ${counted(session.toolNumber, 'tool call')}. Shared from Hookline; secrets were taken out.</p>
${turns.map((turn) => turnPart(turn, context))}
</body>
</html>
`;
  return page.markup;
}

interface Context {
  readonly byId: ReadonlyMap<string, StoredEvent>;
  readonly agents: ReadonlyMap<string, Agent>;
  clean(text: string): string;
}

function turnPart(turn: Turn, context: Context): Html {
  const said = turn.items
    .flatMap((item) => (item.kind === 'event' ? [saidIn(item, context)] : []))
    .findLast((text) => text !== null);
  const parts = turn.items.filter(isStory).flatMap((item) => itemPart(item, context));
  if (parts.length === 0 && said === undefined && turn.prompt === null) return html``;
  return html`<section>
<h2>${context.clean(fullPrompt(turn, context) ?? 'Without a prompt')}</h2>
${parts}
${said !== undefined && html`<p class="said">${context.clean(said ?? '')}</p>`}
</section>
`;
}

function saidIn({ event }: Extract<Item, { kind: 'event' }>, { byId }: Context): string | null {
  const text = byId.get(event.id)?.event.lastAssistantMessage;
  return typeof text === 'string' && text !== '' ? text : null;
}

/** Doesn't repeat an answer that is shown in full below its turn. */
function itemPart(item: Item, context: Context): Html[] {
  if (item.kind === 'call') return [callPart(item.call, rowOf(item), context)];
  const row = rowOf(item);
  if (row.outcome === null && saidIn(item, context) !== null) return [];
  return [
    html`<p class="event">${summary(row, context)}</p>
`,
  ];
}

function summary({ at, name, subject, outcome, words, durationMs }: Row, { clean }: Context): Html {
  const took = durationMs === null ? '' : timeTaken(durationMs);
  return html`<span class="quiet">${iso(at).slice(11, 19)}</span> <span class="tool">${clean(name)}</span> ${clean(subject)} <span class="${outcome ?? 'quiet'}">${clean(words)}</span> <span class="quiet">${took}</span>`;
}

function fullPrompt(turn: Turn, { byId }: Context): string | null {
  for (const { type, promptNumber, agentId, event } of byId.values())
    if (type === 'before_agent' && promptNumber === turn.number && agentId === null)
      return typeof event.prompt === 'string' ? event.prompt : turn.prompt;
  return turn.prompt;
}

function callPart(call: Call, row: Row, context: Context): Html {
  const events = call.events.flatMap(({ id }) => context.byId.get(id) ?? []);
  const last = events.at(-1);
  const { command = null, changes = [], result = null } = (last && callDetail(last, context.agents)) ?? {};
  const text =
    command ?? (!last || changes.length > 0 ? null : JSON.stringify(last.tool?.input ?? {}, null, 2));
  return html`<details>
<summary>${summary(row, context)}</summary>
${text !== null && html`<pre>${context.clean(text)}</pre>`}
${changes.map((change) => changePart(change, context))}
${events.flatMap((event) => whyPart(event, context))}
${changes.length === 0 && outputPart(result, context)}
</details>
`;
}

const MARKS = { '+': 'in', '-': 'out', ' ': 'same', '@': 'quiet' } as const;

function changePart({ path, lines }: Change, { clean }: Context): Html {
  const marked = lines.map(
    ({ mark, text }) => html`<span class="${MARKS[mark]}">${mark} ${clean(text)}</span>
`,
  );
  return html`<p class="quiet">${clean(path)}</p><pre>${marked}</pre>`;
}

function whyPart({ response, opinions, degraded }: StoredEvent, { clean }: Context): Html[] {
  return [
    ...opinions
      .filter(({ observing }) => !observing)
      .map(
        ({ kind, by, response: said }) =>
          html`<p>${kind} <b>${clean(by)}</b>: ${said.decision}${spoken(said, clean)}</p>`,
      ),
    ...degraded.map(
      ({ effect, reason }) => html`<p class="failed">“${effect}” was not delivered: ${clean(reason)}</p>`,
    ),
    ...(response.halt === undefined
      ? []
      : [html`<p class="denied">The turn was halted: ${clean(response.halt)}</p>`]),
  ];
}

function spoken(said: HookResponse, clean: Context['clean']): string {
  const reason = reasonForPerson(said);
  return reason ? `, ${clean(reason)}` : '';
}

function outputPart(result: CallDetail['result'], { clean }: Context): Html | null {
  const text = result?.error ?? result?.output ?? '';
  if (text === '') return null;
  const cut =
    text.length > MOST_OUTPUT
      ? `${text.slice(0, MOST_OUTPUT)}\n… ${text.length - MOST_OUTPUT} more characters`
      : text;
  return html`<pre>${clean(cut)}</pre>`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

import type { JSX } from 'preact';
import type { StoredEvent } from '../../../src/store/stored-event.ts';
import { changesIn } from '../../../src/view/change.ts';
import { span } from '../format.ts';
import { Code, Diff, Pill, readable } from './bits.tsx';

const STATES = { none: 'plain', allow: 'allowed', deny: 'denied', ask: 'waiting' } as const;

/** How one event was decided: who said what, what the agent was told, and what it could not be told. */
export function Why({ event }: { event: StoredEvent }): JSX.Element {
  const { response, opinions, degraded, answer } = event;
  const told = answer === null || answer.action === 'passthrough' ? null : readable(answer);
  return (
    <div class="why">
      <p>
        <Pill state={STATES[response.decision]}>
          {response.decision === 'none' ? 'no opinion' : response.decision}
        </Pill>{' '}
        {response.reason}
        {opinions.length === 0 && 'Nobody had an opinion: the agent’s own permissions applied.'}
      </p>
      {opinions.length > 0 && (
        <ul class="opinions">
          {opinions.map((one) => (
            <li key={`${one.kind} ${one.by}`}>
              <span class="kind">{one.kind}</span>{' '}
              {one.kind === 'rule' ? <a href={`#/rules/${encodeURIComponent(one.by)}`}>{one.by}</a> : one.by}{' '}
              <Pill state={STATES[one.response.decision]}>{one.response.decision}</Pill>
              {one.observing && <span class="meta"> only observing</span>}
              {one.where && <span class="meta"> {one.where}</span>}
              {one.tookMs !== undefined && <span class="meta"> {span(one.tookMs)}</span>}
              {one.problem && <p class="trouble">{one.problem}</p>}
            </li>
          ))}
        </ul>
      )}
      {degraded.map(({ effect, reason }) => (
        <p key={`${effect} ${reason}`} class="trouble">
          The agent could not be told “{effect}”: {reason}
        </p>
      ))}
      <details>
        <summary>Told the agent</summary>
        {told === null ? <p class="quiet">Nothing: no opinion.</p> : <Code label="Answer">{told}</Code>}
      </details>
    </div>
  );
}

/** What a call was given and what came of it. */
export function ToolDetail({ event }: { event: StoredEvent }): JSX.Element | null {
  if (!event.tool) return null;
  const changes = changesIn(event.tool.input);
  const { command } = event.tool.input;
  return (
    <>
      {changes.map((change, at) => (
        <Diff key={at} change={change} />
      ))}
      {changes.length === 0 && (
        <Code label="Input">{typeof command === 'string' ? command : readable(event.tool.input)}</Code>
      )}
      <Result tool={event.event.tool} shown={changes.length > 0} />
    </>
  );
}

/** Of a change that was made, the answer only repeats what is shown. */
function Result({ tool, shown }: { tool: unknown; shown: boolean }): JSX.Element | null {
  if (typeof tool !== 'object' || tool === null || !('outcome' in tool)) return null;
  const error = 'error' in tool && typeof tool.error === 'string' ? tool.error : null;
  const response = 'response' in tool && tool.response != null ? outputIn(tool.response) : null;
  const took = 'durationMs' in tool && typeof tool.durationMs === 'number' ? tool.durationMs : null;
  return (
    <>
      <p class="meta">
        Outcome: {String(tool.outcome)}
        {took !== null && `, ${span(took)}`}
      </p>
      {error && <p class="trouble">{error}</p>}
      {response && !(shown && tool.outcome === 'ok') && <Code label="Output">{response}</Code>}
    </>
  );
}

/** Of what tools give back, the part that people read. */
function outputIn(response: unknown): string {
  if (typeof response !== 'object' || response === null) return readable(response);
  for (const name of ['stdout', 'llmContent', 'output', 'content'])
    if (name in response) {
      const value: unknown = Object.getOwnPropertyDescriptor(response, name)?.value;
      if (typeof value === 'string' && value !== '') return value;
    }
  return readable(response);
}

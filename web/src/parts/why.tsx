import type { JSX } from 'preact';
import type { CallDetail, EventDetail } from '../../../src/history/event-detail.ts';
import { reasonForPerson } from '../../../src/model/responses.ts';
import { timeTaken } from '../../../src/model/text.ts';
import type { StoredEvent } from '../../../src/store/stored-event.ts';
import { Changes, Code, Pill, readable } from './bits.tsx';

const OUTCOMES = { none: null, allow: 'allowed', deny: 'denied', ask: 'waiting' } as const;

/** How one event was decided: who said what, the answer to the agent, and what could not be delivered. */
export function Why({ event }: { event: StoredEvent }): JSX.Element {
  const { response, opinions, degraded, answer } = event;
  const answerText = answer === null || answer.action === 'passthrough' ? null : readable(answer);
  return (
    <div class="why">
      <p>
        <Pill outcome={OUTCOMES[response.decision]}>
          {response.decision === 'none' ? 'no opinion' : response.decision}
        </Pill>{' '}
        {reasonForPerson(response)}
        {opinions.length === 0 && 'Nobody had an opinion: the agent’s own permissions applied.'}
      </p>
      {opinions.length > 0 && (
        <ul class="opinions">
          {opinions.map((one) => (
            <li key={`${one.kind} ${one.by}`}>
              <span class="kind">{one.kind}</span>{' '}
              {one.kind === 'rule' ? <a href={`#/rules/${encodeURIComponent(one.by)}`}>{one.by}</a> : one.by}{' '}
              <Pill outcome={OUTCOMES[one.response.decision]}>{one.response.decision}</Pill>
              {one.observing && <span class="meta"> only observing</span>}
              {one.where && <span class="meta"> {one.where}</span>}
              {one.tookMs !== undefined && <span class="meta"> {timeTaken(one.tookMs)}</span>}
              {one.problem && <p class="trouble">{one.problem}</p>}
            </li>
          ))}
        </ul>
      )}
      {degraded.map(({ effect, reason }) => (
        <p key={`${effect} ${reason}`} class="trouble">
          “{effect}” was not delivered: {reason}
        </p>
      ))}
      <details>
        <summary>Sent to the agent</summary>
        {answerText === null ? (
          <p class="quiet">Nothing: no opinion.</p>
        ) : (
          <Code label="Answer">{answerText}</Code>
        )}
      </details>
    </div>
  );
}

/** What a call was given and what came of it. */
export function ToolDetail({ event: { tool, call } }: { event: EventDetail }): JSX.Element | null {
  if (!tool) return null;
  const { command = null, changes = [], result = null } = call ?? {};
  const text = command ?? (changes.length > 0 ? null : readable(tool.input));
  return (
    <>
      {text !== null && <Code label="Input">{text}</Code>}
      <Changes changes={changes} />
      {result && <Result result={result} shown={changes.length > 0} />}
    </>
  );
}

/** Of a change that was made, the answer only repeats what is shown. */
function Result({
  result: { outcome, error, output, durationMs },
  shown,
}: {
  result: NonNullable<CallDetail['result']>;
  shown: boolean;
}): JSX.Element {
  return (
    <>
      <p class="meta">
        Outcome: {outcome}
        {durationMs !== null && `, ${timeTaken(durationMs)}`}
      </p>
      {error && <p class="trouble">{error}</p>}
      {output && !(shown && outcome === 'ok') && <Code label="Output">{output}</Code>}
    </>
  );
}

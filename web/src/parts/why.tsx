import type { JSX } from 'preact';
import type { EventView } from '../../../src/daemon/web/shapes.ts';
import type { Outcome } from '../../../src/history/calls/outcome.ts';
import type { Opinion } from '../../../src/model/recording.ts';
import { type Decision, type HookResponse, reasonForPerson } from '../../../src/model/responses.ts';
import { timeTaken } from '../../../src/model/text.ts';
import { ruleLink } from '../format.ts';
import { Code } from './bits.tsx';

const RANK: Readonly<Record<Decision, number>> = { deny: 0, ask: 1, allow: 2, none: 3 };
const LOOKS: Readonly<Record<Decision, string>> = {
  deny: 'denied',
  ask: 'waiting',
  allow: 'allowed',
  none: 'plain',
};
const VERBS: Readonly<Record<Decision, string>> = {
  deny: 'denies',
  ask: 'asks',
  allow: 'allows',
  none: 'adds context',
};

const LOOK_OF: Readonly<Partial<Record<Outcome, string>>> = {
  denied: 'denied',
  failed: 'denied',
  allowed: 'allowed',
  waiting: 'waiting',
};

/** How a call was decided: the outcome and its reason, all decisions, and what was sent to the agent. */
export function Why({ event }: { event: EventView }): JSX.Element {
  const { story, response, opinions, degraded, answer } = event;
  const received = answer === null || answer.action === 'passthrough' ? null : receivedText(response);
  const strongest = [...opinions].sort((a, b) => RANK[a.response.decision] - RANK[b.response.decision]);
  const decisive = strongest.find(({ response: { decision } }) => decision === response.decision);
  const reason = (decisive && reasonForPerson(decisive.response)) ?? reasonForPerson(response);
  return (
    <>
      <div class={`verdict ${(story.outcome && LOOK_OF[story.outcome]) ?? ''}`}>
        <b>{story.words || 'No decision'}</b>
        <p>{reason || (opinions.length === 0 ? "No decision. The agent's own permissions applied." : '')}</p>
      </div>
      {opinions.length > 0 && (
        <section>
          <h3 class="label">Decisions</h3>
          <ul class="opinions">
            {strongest.map((one) => (
              <OpinionLine key={`${one.kind} ${one.by}`} opinion={one} />
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3 class="label">Sent to the agent</h3>
        {received === null ? (
          <p class="quiet">Nothing (no decision).</p>
        ) : (
          <Code label="Sent to the agent">{received}</Code>
        )}
        {degraded.length === 0 ? (
          received !== null && <p class="quiet sm">Delivered in full.</p>
        ) : (
          <ul class="left-out">
            {degraded.map(({ effect, reason: why }) => (
              <li key={`${effect} ${why}`}>
                “{effect}” degraded: {why}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

/** The text that was sent; its format is under Raw. */
function receivedText({ reason, context, systemMessage, halt }: HookResponse): string {
  return (
    [...new Set([reason, context, systemMessage, halt])].filter(Boolean).join('\n\n') ||
    'Allowed, without a message.'
  );
}

/** The file by its name, with the line. */
function shortPlace(where: string): string {
  const [, file = where, line] = /([^/\\]+?):(\d+):\d+$/.exec(where) ?? [];
  return line === undefined ? where : `${file}, line ${line}`;
}

function OpinionLine({ opinion }: { opinion: Opinion }): JSX.Element {
  const { kind, by, response, observing, spent, where, tookMs, problem } = opinion;
  return (
    <li class={observing ? 'plain' : LOOKS[response.decision]}>
      <span>
        {kind === 'rule' ? (
          <a class="link" href={ruleLink(by)}>
            {by}
          </a>
        ) : (
          by
        )}{' '}
        {kind !== 'approval' && VERBS[response.decision]}
        <span class="quiet">
          {[kind === 'hook' && 'hook', observing && !spent && 'observe mode', where && shortPlace(where)]
            .filter(Boolean)
            .join(', ')}
        </span>
        {problem && <span class="bad">{problem}</span>}
      </span>
      {tookMs !== undefined && <span class="quiet sm">{timeTaken(tookMs)}</span>}
    </li>
  );
}

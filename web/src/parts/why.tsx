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
const SAYS: Readonly<Record<Decision, string>> = {
  deny: 'denies',
  ask: 'asks',
  allow: 'allows',
  none: 'has a word',
};

const LOOK_OF: Readonly<Partial<Record<Outcome, string>>> = {
  denied: 'denied',
  failed: 'denied',
  allowed: 'allowed',
  waiting: 'waiting',
};

/** How a call was decided: the verdict and its reason, who said what, what the agent received. */
export function Why({ event }: { event: EventView }): JSX.Element {
  const { story, response, opinions, degraded, answer } = event;
  const received = answer === null || answer.action === 'passthrough' ? null : receivedText(response);
  const strongest = [...opinions].sort((a, b) => RANK[a.response.decision] - RANK[b.response.decision]);
  const decisive = strongest.find(({ response: { decision } }) => decision === response.decision);
  const reason = (decisive && reasonForPerson(decisive.response)) ?? reasonForPerson(response);
  return (
    <>
      <div class={`verdict ${(story.outcome && LOOK_OF[story.outcome]) ?? ''}`}>
        <b>{story.words || 'Nothing was decided'}</b>
        <p>
          {reason ||
            (opinions.length === 0 ? 'Nobody had an opinion: the agent’s own permissions applied.' : '')}
        </p>
      </div>
      {opinions.length > 0 && (
        <section>
          <h3 class="label">Who said what</h3>
          <ul class="opinions">
            {strongest.map((one) => (
              <OpinionLine key={`${one.kind} ${one.by}`} opinion={one} />
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3 class="label">What the agent received</h3>
        {received === null ? (
          <p class="quiet">Nothing: no opinion.</p>
        ) : (
          <Code label="What the agent received">{received}</Code>
        )}
        {degraded.length === 0 ? (
          received !== null && <p class="quiet sm">Delivered in full.</p>
        ) : (
          <ul class="left-out">
            {degraded.map(({ effect, reason: why }) => (
              <li key={`${effect} ${why}`}>
                “{effect}” was not delivered: {why}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

/** The words that reached it; how they were wrapped is under Raw. */
function receivedText({ reason, context, systemMessage, halt }: HookResponse): string {
  return (
    [...new Set([reason, context, systemMessage, halt])].filter(Boolean).join('\n\n') ||
    'Only that it may run.'
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
        {kind !== 'approval' && SAYS[response.decision]}
        <span class="quiet">
          {[kind === 'hook' && 'a hook', observing && !spent && 'only observing', where && shortPlace(where)]
            .filter(Boolean)
            .join(', ')}
        </span>
        {problem && <span class="bad">{problem}</span>}
      </span>
      {tookMs !== undefined && <span class="quiet sm">{timeTaken(tookMs)}</span>}
    </li>
  );
}

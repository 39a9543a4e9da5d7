import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TriedRule } from '../../../../src/history/replay/try-rule.ts';
import { messageOf } from '../../../../src/model/errors.ts';
import { has, post } from '../../api.ts';
import { counted, eventLink } from '../../format.ts';
import type { Loaded } from '../../hooks.ts';
import { AgentBadge } from '../bits.tsx';

type Tried = TriedRule & { readonly days: number };
const isTried = has<Tried>('hits', 'calls');
const TYPING_MS = 600;
const SHOWN = 8;
const DAY_MS = 86_400_000;

/** What the draft would decide on recent calls, compared with the saved rule. Runs nothing. */
export function RuleTrial({
  text,
  rule,
  decision,
}: {
  text: string;
  rule: string | null;
  decision: string;
}): JSX.Element {
  const [tried, setTried] = useState<Loaded<Tried>>({ state: 'loading' });
  useEffect(() => {
    let gone = false;
    const timer = window.setTimeout(() => {
      post('/api/rules/try', { text, rule }, isTried).then(
        (value) => gone || setTried({ state: 'there', value }),
        (error: unknown) => gone || setTried({ state: 'failed', message: messageOf(error) }),
      );
    }, TYPING_MS);
    return () => {
      gone = true;
      window.clearTimeout(timer);
    };
  }, [text]);
  return (
    <section>
      <h3 class="label">Test on the last 14 days</h3>
      {tried.state === 'loading' && <p class="quiet sm">Testing…</p>}
      {tried.state === 'failed' && <p class="trouble">{tried.message}</p>}
      {tried.state === 'there' && <Outcome tried={tried.value} decision={decision} isNew={rule === null} />}
    </section>
  );
}

function Outcome({
  tried,
  decision,
  isNew,
}: {
  tried: Tried;
  decision: string;
  isNew: boolean;
}): JSX.Element {
  const now = tried.hits.filter(({ draft }) => draft);
  const more = now.filter(({ saved }) => !saved).length;
  const fewer = tried.hits.filter(({ draft, saved }) => saved && !draft).length;
  const newest = [...tried.hits].reverse().slice(0, SHOWN);
  return (
    <div class="trial">
      <p>
        <b>
          {now.length} of {counted(tried.calls, 'call')}
        </b>{' '}
        would have {decision}
        {!isNew && more > 0 && (
          <>
            , <span class="new">{more} more</span> than with the saved rule
          </>
        )}
        {!isNew && fewer > 0 && `, ${fewer} fewer than with the saved rule`}.
        {tried.cut && ' Not all calls could be tested in time.'}
      </p>
      {tried.hits.length > 0 && <DayBars tried={tried} />}
      <ol>
        {newest.map(({ id, at, source, subject, saved, draft }) => (
          <li key={id}>
            <a href={eventLink(id)}>
              <span class="quiet">
                {new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}
              </span>
              <AgentBadge source={source} />
              <code class="cut">{subject}</code>
              <span class={draft && !saved ? 'new' : 'quiet'}>
                {draft ? (saved || isNew ? decision : 'new') : 'no longer'}
              </span>
            </a>
          </li>
        ))}
      </ol>
      {tried.hits.length > SHOWN && <p class="quiet sm">and {tried.hits.length - SHOWN} more</p>}
    </div>
  );
}

const HEIGHT = 40;

function DayBars({ tried }: { tried: Tried }): JSX.Element {
  const start = Date.now() - tried.days * DAY_MS;
  const days = Array.from({ length: tried.days }, () => ({ before: 0, more: 0 }));
  for (const { at, saved, draft } of tried.hits) {
    const day = days[Math.min(tried.days - 1, Math.max(0, Math.floor((at - start) / DAY_MS)))];
    if (day && draft) day[saved ? 'before' : 'more'] += 1;
  }
  const most = Math.max(1, ...days.map(({ before, more }) => before + more));
  const step = 100 / tried.days;
  const tall = (n: number) => (n / most) * HEIGHT;
  return (
    <svg class="day-bars" aria-hidden="true">
      {days.map(({ before, more }, at) => (
        <g key={at}>
          <rect class="zero" x={`${at * step}%`} width={`${step * 0.8}%`} y={HEIGHT} height="1" />
          <rect
            x={`${at * step}%`}
            width={`${step * 0.8}%`}
            y={HEIGHT - tall(before)}
            height={tall(before)}
          />
          <rect
            class="more"
            x={`${at * step}%`}
            width={`${step * 0.8}%`}
            y={HEIGHT - tall(before + more)}
            height={tall(more)}
          />
        </g>
      ))}
    </svg>
  );
}

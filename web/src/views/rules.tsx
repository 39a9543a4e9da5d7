import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RuleReach, RuleView } from '../../../src/daemon/web-shapes.ts';
import type { Row } from '../../../src/history/row.ts';
import { has } from '../api.ts';
import { ago, eventLink } from '../format.ts';
import { useAsked, useLive, useNow } from '../hooks.ts';
import { Await, Empty, Pill } from '../parts/bits.tsx';
import { ItemRow } from '../parts/item-row.tsx';

const isList = has<{ rules: readonly RuleView[] }>('rules');
const isHits = has<{ rows: readonly Row[] }>('rows');
const OUTCOMES = { none: null, allow: 'allowed', deny: 'denied', ask: 'waiting' } as const;
const MARKS = { native: '●', emulated: '◐', none: '○' } as const;
const WORDS = { native: 'does it', emulated: 'does it another way', none: 'cannot do it' } as const;

/** All rules in force, how often each had a part in an answer, and how far each agent can follow it. */
export function RulesView({ wanted }: { wanted: string | null }): JSX.Element {
  const { state } = useLive();
  const now = useNow(10_000);
  const [filter, setFilter] = useState('');
  const [onlyHit, setOnlyHit] = useState(false);
  const loaded = useAsked('/api/rules', isList, Math.floor(now / 10_000));
  const shown = (rule: RuleView) =>
    rule.id === wanted || ((!onlyHit || rule.hits > 0) && textOf(rule).includes(filter.trim().toLowerCase()));
  return (
    <>
      <h1>Rules</h1>
      {state.about.problems.map(({ where, message }) => (
        <p key={`${where} ${message}`} class="trouble">
          {where}: {message}
        </p>
      ))}
      <div class="bar">
        <label class="inline">
          <span class="unseen">Filter rules</span>
          <input
            type="search"
            placeholder="Filter"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
        <label class="inline">
          <input type="checkbox" checked={onlyHit} onChange={() => setOnlyHit(!onlyHit)} /> only those with
          hits
        </label>
      </div>
      <Await loaded={loaded}>
        {({ rules }) =>
          rules.length === 0 ? (
            <Empty title="No rules.">
              Put a file into <code>rules/</code> of your Hookline home, or switch on a pack in{' '}
              <code>config.yaml</code>.
            </Empty>
          ) : (
            <RulesTable rules={rules.filter(shown)} wanted={wanted} now={now} />
          )
        }
      </Await>
    </>
  );
}

function textOf({ id, pack, reason }: RuleView): string {
  return `${id} ${pack ?? ''} ${reason ?? ''}`.toLowerCase();
}

function RulesTable({
  rules,
  wanted,
  now,
}: {
  rules: readonly RuleView[];
  wanted: string | null;
  now: number;
}): JSX.Element {
  const { state } = useLive();
  return (
    <table class="rules">
      <caption>
        ● the agent does it, ◐ another way or with a catch, ○ it cannot; then how often it came up, and how
        often part of an answer could not be delivered.
      </caption>
      <thead>
        <tr>
          <th>Rule</th>
          <th>Says</th>
          <th class="number">Hits</th>
          <th>Last</th>
          {state.about.agents.map(({ id }) => (
            <th key={id}>{id}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <RuleRow key={`${rule.layer} ${rule.id}`} rule={rule} now={now} marked={rule.id === wanted} />
        ))}
      </tbody>
    </table>
  );
}

function RuleRow({ rule, now, marked }: { rule: RuleView; now: number; marked: boolean }): JSX.Element {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (marked) row.current?.scrollIntoView({ block: 'center' });
  }, [marked]);
  return (
    <tr ref={row} class={marked ? 'marked' : ''}>
      <td>
        <span class="rule-id">{rule.id}</span>
        <span class="meta">
          {' '}
          {rule.pack ?? rule.layer}
          {rule.observing && ', only observing'}
        </span>
        {rule.reason && <p class="meta">{rule.reason}</p>}
        {rule.pack === null && <p class="meta">{rule.where}</p>}
        {marked && rule.hits > 0 && <LatestHits rule={rule} />}
      </td>
      <td>
        <Pill outcome={OUTCOMES[rule.decision]}>
          {rule.decision === 'none' ? rule.effects.join(', ') : rule.decision}
        </Pill>
      </td>
      <td class="number">
        {rule.hits > 0 ? <a href={`#/rules/${encodeURIComponent(rule.id)}`}>{rule.hits}</a> : 0}
      </td>
      <td>
        {rule.lastEvent && rule.lastAt !== null ? (
          <a href={eventLink(rule.lastEvent)}>{ago(rule.lastAt, now)}</a>
        ) : (
          '–'
        )}
      </td>
      {rule.reach.map((reach) => (
        <td key={reach.agent}>
          <Reach reach={reach} />
        </td>
      ))}
    </tr>
  );
}

/** What it had a part in, so that its number can be looked into. */
function LatestHits({ rule }: { rule: RuleView }): JSX.Element {
  const loaded = useAsked(`/api/rule-hits?rule=${encodeURIComponent(rule.id)}`, isHits, rule.hits);
  return (
    <Await loaded={loaded}>
      {({ rows }) => (
        <ol class="latest">
          {rows.map((row) => (
            <ItemRow key={row.key} row={row} />
          ))}
        </ol>
      )}
    </Await>
  );
}

function Reach({ reach }: { reach: RuleReach }): JSX.Element {
  return (
    <span title={reach.note ?? WORDS[reach.level]}>
      <span aria-hidden="true">{MARKS[reach.level]}</span>
      <span class="unseen">{reach.note ?? WORDS[reach.level]}</span> {reach.hits > 0 && `${reach.hits} `}
      {reach.degraded > 0 && <span class="pill failed">{reach.degraded} not delivered</span>}
    </span>
  );
}

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RuleView } from '../../../../src/daemon/web/shapes.ts';
import { ruleLink } from '../../format.ts';
import { Chip } from '../bits.tsx';
import { ReachMarks } from './reach.tsx';
import { Spark } from './spark.tsx';

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);

const LOOKS = { none: null, allow: 'allowed', deny: 'denied', ask: 'waiting' } as const;
const ACTIONS = { none: '', allow: 'Allow', deny: 'Deny', ask: 'Ask' } as const;
const EFFECTS: Readonly<Record<string, string>> = {
  modifyArgs: 'Change',
  context: 'Context',
  systemMessage: 'Notify',
  halt: 'Halt',
};

/** A rule with its action, its hits, and how each agent enforces it. */
export function RuleRow({ rule, marked }: { rule: RuleView; marked: boolean }): JSX.Element {
  const row = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (marked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  const { id, layer, pack, observing, reason, decision, effects, days, reach } = rule;
  const action = ACTIONS[decision] || effects.map((one) => EFFECTS[one] ?? one).join(', ');
  return (
    <li>
      <a ref={row} class="rule" href={ruleLink(id)} aria-current={marked ? 'true' : undefined}>
        <span class="rule-name">
          <b>{id}</b> <span class="quiet sm">{pack === null ? (layer === 'user' ? 'you' : layer) : ''}</span>
          {observing && <span class="quiet sm"> observe mode</span>}
          <span class="summary cut">{reason}</span>
        </span>
        <span>
          <Chip outcome={LOOKS[decision]}>{action}</Chip>
        </span>
        <Spark days={days} />
        <span class="hits">{sumOf(days) || <span class="zero">–</span>}</span>
        <ReachMarks reach={reach} />
      </a>
    </li>
  );
}

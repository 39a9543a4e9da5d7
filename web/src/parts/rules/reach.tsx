import type { JSX } from 'preact';
import type { RuleReach } from '../../../../src/daemon/web/shapes.ts';
import { useLive } from '../../hooks.ts';
import { useBadges } from '../bits.tsx';

const WORDS = { native: 'Enforced', emulated: 'Enforced with limits', none: 'Not supported' } as const;

/** A full, a half and an empty circle. */
function Mark({ level }: { level: RuleReach['level'] }): JSX.Element {
  return (
    <svg class="reach-mark" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="4" class={level === 'native' ? 'full' : ''} />
      {level === 'emulated' && <path d="M5 1a4 4 0 0 0 0 8z" class="full" />}
    </svg>
  );
}

/** How each agent enforces a rule, in a row. */
export function ReachMarks({ reach }: { reach: readonly RuleReach[] }): JSX.Element {
  const { agents } = useLive().state.about;
  const badge = useBadges();
  return (
    <span class="reach">
      {reach.map(({ agent, level, note }) => {
        const label = agents.find(({ id }) => id === agent)?.label ?? agent;
        return (
          <span key={agent} title={`${label}: ${note ?? WORDS[level]}`}>
            <Mark level={level} />
            <span aria-hidden="true">{badge(label)}</span>
            <span class="unseen">
              {label}: {WORDS[level]}
            </span>
          </span>
        );
      })}
    </span>
  );
}

/** The same with the reasons. */
export function ReachList({ reach }: { reach: readonly RuleReach[] }): JSX.Element {
  const { agents } = useLive().state.about;
  return (
    <ul class="reach-list">
      {reach.map(({ agent, level, note, degraded }) => (
        <li key={agent}>
          <Mark level={level} />
          <span>{agents.find(({ id }) => id === agent)?.label ?? agent}</span>
          <span class="why">
            {note ?? `${WORDS[level]}.`}
            {degraded > 0 && ` Degraded ${degraded} times.`}
          </span>
        </li>
      ))}
    </ul>
  );
}

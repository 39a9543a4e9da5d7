import type { ComponentChildren, JSX } from 'preact';
import { memo } from 'preact/compat';
import type { NamedFleetEvent } from '../../../src/fleet/machines/follow-machines.ts';
import { eventLink, shortMoment } from '../format.ts';
import { AgentBadge, Chip, useAgentLabel } from './bits.tsx';

const SHOWN = 150;

interface FleetRowsProps {
  /** Oldest first. */
  readonly events: readonly NamedFleetEvent[];
  /** The id of this machine. */
  readonly self: string;
  /** Shown without events. */
  readonly children: ComponentChildren;
}

/** Events of several machines, the newest first. */
export function FleetRows({ events, self, children }: FleetRowsProps): JSX.Element {
  if (events.length === 0) return <div class="box">{children}</div>;
  return (
    <ol class="box rows fleet-rows">
      {events
        .slice(-SHOWN)
        .reverse()
        .map((event) => (
          <FleetRow key={event.place} event={event} isOwn={event.machine === self} />
        ))}
    </ol>
  );
}

const FleetRow = memo(function FleetRow({
  event,
  isOwn,
}: {
  event: NamedFleetEvent;
  isOwn: boolean;
}): JSX.Element {
  const cells = <Cells event={event} />;
  // The events of other machines are not in the history of this one.
  return (
    <li>
      {isOwn ? (
        <a class="row" href={eventLink(event.id)}>
          {cells}
        </a>
      ) : (
        <div class="row">{cells}</div>
      )}
    </li>
  );
});

function Cells({ event }: { event: NamedFleetEvent }): JSX.Element {
  const { at, agent, machineName, project, name, subject, words, outcome } = event;
  const label = useAgentLabel(agent);
  return (
    <>
      <span class="quiet">{shortMoment(at)}</span>
      <span>
        <AgentBadge source={agent} />
        <span class="unseen">{label}</span>
      </span>
      <span class="where" title={[machineName, project].filter(Boolean).join(' · ')}>
        {machineName}
        {project && <span class="branch">{project}</span>}
      </span>
      <span class="subject cut">
        <span class="quiet">{name}</span> <code>{subject}</code>
      </span>
      {words && <Chip outcome={outcome}>{words}</Chip>}
    </>
  );
}

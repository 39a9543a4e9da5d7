import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AgentCoverage, ReportedMachine } from '../../../src/fleet/machines/report.ts';
import { isLate, reportedAt } from '../../../src/fleet/machines/report-age.ts';
import type { FleetMachines } from '../../../src/fleet/machines/view.ts';
import { ago, counted } from '../format.ts';
import { Chip, Empty, Filter, Finder, useAgentLabel, useAgentLabels } from './bits.tsx';

/** With fewer machines a search is not needed. */
const FEW = 8;
const SHOWN = 100;

interface MachinesProps {
  readonly fleet: FleetMachines;
  readonly now: number;
}

/** The machines with their agents and policy. */
export function FleetMachineList({ fleet, now }: MachinesProps): JSX.Element {
  const [text, setText] = useState('');
  const [only, setOnly] = useState(false);
  const { machines, total, self } = fleet;
  const troubled = machines.filter((one) => hasTrouble(one, now));
  const fitting = (only ? troubled : machines).filter((one) => isCalled(one, text));
  return (
    <section class="section" aria-labelledby="fleet-machines">
      <div class="head">
        <h2 id="fleet-machines">Machines</h2>
        {total > fitting.length && <span class="quiet sm">{`${fitting.length} of ${total}`}</span>}
        <span class="right line">
          {total > FEW && <Finder label="Find a machine" value={text} onInput={setText} />}
          {(troubled.length > 0 || only) && (
            <Filter on={only} count={troubled.length} onToggle={() => setOnly(!only)}>
              Needs attention
            </Filter>
          )}
        </span>
      </div>
      <ul class="box fleet-machines">
        {fitting.slice(0, SHOWN).map((one) => (
          <MachineRow key={one.id} machine={one} isSelf={one.id === self} now={now} />
        ))}
        {fitting.length === 0 && (
          <li>
            <Empty title={total === 0 ? 'No machines yet.' : 'No matching machines.'}>
              Machines report every minute and then appear here.
            </Empty>
          </li>
        )}
      </ul>
      {fitting.length > SHOWN && (
        <p class="quiet sm">Showing the first {SHOWN}. Search by name to find others.</p>
      )}
    </section>
  );
}

function isCalled({ id, name, groups }: ReportedMachine, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return id.startsWith(wanted) || [name, ...groups].some((one) => one.toLowerCase().includes(wanted));
}

/** True if the machine is offline or has problems. */
function hasTrouble(machine: ReportedMachine, now: number): boolean {
  const { agents = [], policy } = machine;
  return (
    isLate(machine, now) ||
    policy.refused !== null ||
    agents.some(({ setUp, problems }) => !setUp || problems.length > 0)
  );
}

function MachineRow({
  machine,
  isSelf,
  now,
}: {
  machine: ReportedMachine;
  isSelf: boolean;
  now: number;
}): JSX.Element {
  const { id, name, groups, agents, hookline, waiting = 0 } = machine;
  const late = isLate(machine, now);
  return (
    <li class="machine">
      <p class="machine-name">
        <span class={`dot ${late ? 'hollow' : 'allowed'}`} />
        <b class="cut" title={name}>
          {name}
        </b>
        <small class="quiet">
          {id.slice(0, 8)}
          {isSelf && ', this machine'}
          {groups.length > 0 && `, ${groups.join(', ')}`}
        </small>
      </p>
      <Agents agents={agents} />
      <p class="machine-rules">
        <Rules policy={machine.policy} />
      </p>
      <p class="quiet sm machine-about">
        {late ? `offline, last report ${ago(reportedAt(machine), now)}` : 'online'}
        <br />
        {waiting > 0 ? `${counted(waiting, 'event')} to send` : `Hookline ${hookline}`}
      </p>
      <Problems machine={machine} />
    </li>
  );
}

function Agents({ agents }: { agents: readonly AgentCoverage[] | undefined }): JSX.Element {
  if (agents === undefined) return <p class="quiet sm">Agents unknown: its Hookline is outdated.</p>;
  if (agents.length === 0) return <p class="quiet sm">No agents</p>;
  return (
    <ul class="machine-agents" aria-label="Agents">
      {agents.map((agent) => (
        <Agent key={agent.id} agent={agent} />
      ))}
    </ul>
  );
}

function Agent({ agent: { id, setUp, problems, version } }: { agent: AgentCoverage }): JSX.Element {
  const label = useAgentLabel(id);
  const state = !setUp ? 'waiting' : problems.length > 0 ? 'denied' : 'allowed';
  const words = !setUp ? 'not set up' : problems.length > 0 ? counted(problems.length, 'problem') : 'guarded';
  return (
    <li title={version ?? undefined}>
      <Chip outcome={state}>{`${label} ${words}`}</Chip>
    </li>
  );
}

function Rules({ policy }: Pick<ReportedMachine, 'policy'>): JSX.Element {
  const { version, refused, trusts } = policy;
  const active = version !== null ? `policy ${version}` : trusts ? 'no policy' : 'trusts no policy';
  return (
    <>
      <span class={version === null ? 'quiet' : undefined}>{active}</span>
      {refused !== null && <Chip outcome="denied">{`policy ${refused.version ?? ''} rejected`}</Chip>}
    </>
  );
}

function Problems({ machine: { agents = [], policy } }: { machine: ReportedMachine }): JSX.Element | null {
  const labelOf = useAgentLabels();
  const problems = [
    ...(policy.refused === null ? [] : [`Policy rejected: ${policy.refused.why}.`]),
    ...agents.flatMap(({ id, problems: own }) => own.map((problem) => `${labelOf(id)}: ${problem}`)),
  ];
  if (problems.length === 0) return null;
  return (
    <ul class="machine-problems sm">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}

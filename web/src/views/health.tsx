import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AgentView, HealthView as Shape } from '../../../src/daemon/web/shapes.ts';
import { timeTaken } from '../../../src/model/text.ts';
import { has } from '../api.ts';
import { ago, counted, eventLink, lasting } from '../format.ts';
import { useAsked, useLive, useNow } from '../hooks.ts';
import { AgentBadge, Await, Copy, Segments } from '../parts/bits.tsx';
import { Icon } from '../parts/icons.tsx';
import { Bars, OverTime } from '../parts/latency.tsx';

const isHealth = has<Shape>('agents', 'latency', 'daemon');
const LOOK_MS = 5_000;
const RANGES = [
  ['1h', '1 h'],
  ['24h', '24 h'],
  ['14d', '14 days'],
] as const;
type Range = (typeof RANGES)[number][0];

/** Agent status, problems with their fixes, and hook latency. */
export function HealthView(): JSX.Element {
  const now = useNow(LOOK_MS);
  const [range, setRange] = useState<Range>('24h');
  const loaded = useAsked(`/api/health?range=${range}`, isHealth, Math.floor(now / LOOK_MS));
  return (
    <Await loaded={loaded}>
      {(view) => <Health view={view} now={now} range={range} onRange={setRange} />}
    </Await>
  );
}

interface HealthProps {
  readonly view: Shape;
  readonly now: number;
  readonly range: Range;
  readonly onRange: (range: Range) => void;
}

interface Fault {
  readonly title: string;
  readonly why: string | null;
  readonly fix: string | null;
}

function Health({ view, now, range, onRange }: HealthProps): JSX.Element {
  const { problems } = useLive().state.about;
  const { agents } = view;
  const guarded = agents.filter(({ setUp, problems: own }) => setUp && own.length === 0).length;
  // Before every agent was looked for there is no verdict.
  const isChecking = agents.some(({ installed, setUp }) => installed === null && !setUp);
  const faults = faultsOf(agents, problems);
  const limits = agents.filter(isHere).flatMap((agent) => agent.limits.map((text) => ({ agent, text })));
  return (
    <>
      <div class="head">
        <h1>
          {isChecking
            ? 'Checking agents…'
            : `${guarded} of ${counted(agents.length, 'agent')} ${guarded === 1 ? 'is' : 'are'} guarded`}
        </h1>
        <span class="quiet">
          {faults.length > 0 ? counted(faults.length, 'problem') : isChecking ? '' : 'no problems'}
          {limits.length > 0 &&
            `${isChecking && faults.length === 0 ? '' : ', '}${counted(limits.length, 'known limit')}`}
        </span>
      </div>
      {faults.map((fault) => (
        <FaultBox key={fault.title} fault={fault} />
      ))}
      <Vitals view={view} now={now} />
      <section class="section" aria-labelledby="agents-title">
        <div class="head">
          <h2 id="agents-title">Agents</h2>
        </div>
        <ul class="agent-cards">
          {[...agents]
            .sort((a, b) => rankOf(a) - rankOf(b))
            .map((agent) => (
              <AgentCard key={agent.id} agent={agent} now={now} />
            ))}
        </ul>
      </section>
      <Costs latency={view.latency} range={range} onRange={onRange} />
      {limits.length > 0 && <Limits limits={limits} />}
    </>
  );
}

function Costs({
  latency,
  range,
  onRange,
}: Pick<HealthProps, 'range' | 'onRange'> & { latency: Shape['latency'] }): JSX.Element {
  return (
    <section class="section" aria-labelledby="cost-title">
      <div class="head">
        <h2 id="cost-title">Hook latency</h2>
        <span class="quiet sm">
          {latency.cut ? 'the newest ' : ''}
          {counted(latency.calls, 'call')}, excluding time spent waiting for you
        </span>
        <span class="right">
          <Segments
            label="Time range"
            name="health-range"
            value={range}
            options={RANGES}
            onChoose={onRange}
          />
        </span>
      </div>
      {latency.calls === 0 ? (
        <p class="box none">No calls in this period.</p>
      ) : (
        <>
          <div class="charts">
            <OverTime latency={latency} />
            <Bars latency={latency} />
          </div>
          <p class="quiet sm slowest">
            Slowest:{' '}
            {latency.slowest.map(({ id, ms, source }) => (
              <a key={id} class="link" href={eventLink(id)}>
                {timeTaken(ms)} {source}
              </a>
            ))}
          </p>
        </>
      )}
    </section>
  );
}

function Limits({
  limits,
}: {
  limits: readonly { readonly agent: AgentView; readonly text: string }[];
}): JSX.Element {
  return (
    <section class="section" aria-labelledby="limits-title">
      <div class="head">
        <h2 id="limits-title">Known limits</h2>
        <span class="quiet sm">of the agents; not errors</span>
      </div>
      <ul class="box limits">
        {limits.map(({ agent, text }) => (
          <li key={`${agent.id} ${text}`}>
            <AgentBadge source={agent.id} />
            <span class="quiet">{agent.label}</span>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Installed on this machine, as far as Hookline can tell. */
const isHere = ({ installed, setUp, sessions }: AgentView): boolean =>
  installed === true || setUp || sessions > 0;

function rankOf(agent: AgentView): number {
  if (agent.setUp) return 0;
  return isHere(agent) ? 1 : 2;
}

/** Only problems with a fix. */
function faultsOf(
  agents: readonly AgentView[],
  problems: readonly { readonly where: string; readonly message: string }[],
): readonly Fault[] {
  return [
    ...agents.flatMap((agent) =>
      agent.setUp
        ? agent.problems.map(({ message, why, fix }) => ({
            title: `${agent.label}: ${message}`,
            why,
            fix: fix ?? `hookline setup ${agent.id}`,
          }))
        : [],
    ),
    ...problems.map(({ where, message }) => ({ title: message, why: where, fix: 'hookline doctor' })),
  ];
}

/** The command named in a fix. */
function commandIn(fix: string): string | null {
  return /`(hookline [^`]+)`/.exec(fix)?.[1] ?? (/^hookline [\w -]+$/.test(fix) ? fix : null);
}

function FaultBox({ fault: { title, why, fix } }: { fault: Fault }): JSX.Element {
  const command = fix === null ? null : commandIn(fix);
  return (
    <div class="fault">
      <Icon name="ask" />
      <b>{title}</b>
      <p>{[why, command === null || fix === command ? null : fix].filter(Boolean).join(' ')}</p>
      <Copy command={command ?? 'hookline doctor'} />
    </div>
  );
}

function Vitals({ view, now }: { view: Shape; now: number }): JSX.Element {
  const { daemon, failure, historyBytes, retentionDays, latency } = view;
  const facts: readonly (readonly [name: string, value: string, note: string])[] = [
    ['Daemon', 'Running', `for ${lasting(now - Date.parse(daemon.startedAt))}, version ${daemon.version}`],
    [
      'Failure mode',
      failure === 'closed' ? 'Closed' : 'Open',
      failure === 'closed' ? 'on failure, calls are denied' : 'on failure, the agent decides',
    ],
    [
      'History',
      size(historyBytes),
      `kept ${retentionDays === null ? 'until you delete it' : `for ${counted(retentionDays, 'day')}`}, secrets redacted`,
    ],
    [
      'Hook latency',
      latency.p50 === null ? '–' : timeTaken(latency.p50),
      latency.p95 === null
        ? 'no calls yet'
        : `p50; p95 ${timeTaken(latency.p95)}; hookline status adds the forwarder`,
    ],
  ];
  return (
    <dl class="box vitals">
      {facts.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function size(bytes: number): string {
  return bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KB` : `${Math.round(bytes / (1 << 20))} MB`;
}

function AgentCard({ agent, now }: { agent: AgentView; now: number }): JSX.Element {
  const { id, label, setUp, problems, version, testedVersion, lastAt, sessions, gaps } = agent;
  const broken = setUp && problems.length > 0;
  return (
    <li class={`box agent-card ${broken ? 'broken' : setUp ? '' : isHere(agent) ? '' : 'absent'}`}>
      <p class="agent-card-title">
        <AgentBadge source={id} />
        <span class="cut">{label}</span>
        <span class={`dot ${broken ? 'denied' : setUp ? 'allowed' : 'hollow'}`} />
      </p>
      <p class={broken ? 'bad sm' : 'sm'}>
        {broken
          ? counted(problems.length, 'problem')
          : setUp
            ? 'Guarded'
            : isHere(agent)
              ? 'Found, not set up'
              : agent.installed === null
                ? 'Checking…'
                : 'Not installed'}
      </p>
      <p class="quiet sm">
        {version
          ? `${version}, ${version === testedVersion ? 'tested' : `tested with ${testedVersion}`}`
          : `tested with ${testedVersion}`}
      </p>
      {setUp || sessions > 0 ? (
        <p class="quiet sm">
          {lastAt === null ? 'no events yet' : ago(lastAt, now)},{' '}
          <a class="link" href={`#/sessions/${encodeURIComponent(id)}`}>
            {counted(sessions, 'session')}
          </a>
          {gaps > 0 && `, ${counted(gaps, 'call')} not reported`}
        </p>
      ) : (
        <p>
          <code>hookline setup {id}</code>
        </p>
      )}
    </li>
  );
}

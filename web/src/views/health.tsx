import type { JSX } from 'preact';
import type { AgentView, LatencyPoint } from '../../../src/daemon/web-shapes.ts';
import { has } from '../api.ts';
import { ago, counted } from '../format.ts';
import { useAsked, useNow } from '../hooks.ts';
import { Await, Pill } from '../parts/bits.tsx';
import { LatencyPlot } from '../parts/latency-plot.tsx';

const isHealth = has<{ agents: readonly AgentView[]; points: readonly LatencyPoint[] }>('agents', 'points');

/** How the agents are, and what Hookline costs them. */
export function HealthView(): JSX.Element {
  const now = useNow(5_000);
  const loaded = useAsked('/api/health', isHealth, Math.floor(now / 5_000));
  return (
    <>
      <h1>Health</h1>
      <Await loaded={loaded}>
        {({ agents, points }) => (
          <>
            <div class="agents">
              {agents.map((agent) => (
                <AgentBox key={agent.id} agent={agent} now={now} />
              ))}
            </div>
            <LatencyPlot points={points} />
          </>
        )}
      </Await>
    </>
  );
}

function AgentBox({ agent, now }: { agent: AgentView; now: number }): JSX.Element {
  const problems = agent.findings.filter(({ level }) => level === 'problem' && agent.setUp);
  return (
    <section class="agent-box">
      <h2>
        {agent.label}{' '}
        <Pill outcome={problems.length > 0 ? 'failed' : agent.setUp ? 'allowed' : null}>
          {problems.length > 0 ? counted(problems.length, 'problem') : agent.setUp ? 'set up' : 'not set up'}
        </Pill>
      </h2>
      <dl class="facts">
        <div>
          <dt>Version</dt>
          <dd>{agent.installed ? (agent.version ?? 'installed') : 'not installed'}</dd>
        </div>
        <div>
          <dt>Tested with</dt>
          <dd>{agent.testedVersion}</dd>
        </div>
        <div>
          <dt>Sessions</dt>
          <dd>
            <a href={`#/sessions/${encodeURIComponent(agent.id)}`}>{agent.sessions}</a>
          </dd>
        </div>
        <div>
          <dt>Last event</dt>
          <dd>{agent.lastAt === null ? 'never' : ago(agent.lastAt, now)}</dd>
        </div>
        <div>
          <dt>Not reported</dt>
          <dd>{counted(agent.gaps, 'call')}</dd>
        </div>
      </dl>
      {agent.setUp &&
        agent.findings.map(({ message, fix }) => (
          <p key={message} class="trouble">
            {message} {fix && <span class="meta">{fix}</span>}
          </p>
        ))}
      {!agent.setUp && (
        <p class="meta">
          <code>hookline setup {agent.id}</code> puts Hookline in; it shows the edit first.
        </p>
      )}
    </section>
  );
}

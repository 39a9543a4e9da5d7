import type { JSX } from 'preact';
import type { SessionBrief } from '../../../src/daemon/web-shapes.ts';
import { type SessionState, sessionState } from '../../../src/history/session-state.ts';
import { folderName } from '../../../src/model/text.ts';
import { has } from '../api.ts';
import { ago, sessionLink } from '../format.ts';
import { useAsked, useNow } from '../hooks.ts';
import { Await, Empty } from '../parts/bits.tsx';

const isList = has<{ sessions: readonly SessionBrief[] }>('sessions');

export function SessionsView({ source }: { source: string | null }): JSX.Element {
  const now = useNow(10_000);
  const loaded = useAsked('/api/sessions?limit=300', isList, Math.floor(now / 10_000));
  return (
    <>
      <h1>Sessions{source && ` of ${source}`}</h1>
      {source && (
        <p>
          <a href="#/sessions">Those of all agents</a>
        </p>
      )}
      <Await loaded={loaded}>
        {({ sessions: all }) => {
          const sessions = source ? all.filter((session) => session.source === source) : all;
          return sessions.length === 0 ? (
            <Empty title="No session yet.">
              Each run of an agent becomes a session here, with all it did and why it was let.
            </Empty>
          ) : (
            <SessionsTable sessions={sessions} now={now} />
          );
        }}
      </Await>
    </>
  );
}

function SessionsTable({ sessions, now }: { sessions: readonly SessionBrief[]; now: number }): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th>Agent</th>
          <th>Prompt</th>
          <th>Project</th>
          <th class="number">Prompts</th>
          <th class="number">Calls</th>
          <th>Last event</th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={`${session.source} ${session.sessionId}`}>
            <td>{session.source}</td>
            <td>
              <a href={sessionLink(session)}>{session.intent ?? session.sessionId.slice(0, 8)}</a>
            </td>
            <td title={session.cwd ?? ''}>{folderName(session.projectId ?? session.cwd)}</td>
            <td class="number">{session.promptNumber}</td>
            <td class="number">{session.toolNumber}</td>
            <td>
              {ago(session.lastAt, now)}
              {stateWord(sessionState(session, now))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function stateWord(state: SessionState): string {
  return state === 'live' ? '' : `, ${state}`;
}

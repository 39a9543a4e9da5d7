import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GrantView } from '../../../src/daemon/web-shapes.ts';
import { messageOf } from '../../../src/model/errors.ts';
import { has, post } from '../api.ts';
import { eventLink, moment } from '../format.ts';
import { useAsked, useLive } from '../hooks.ts';
import { Await, Empty, Pill } from '../parts/bits.tsx';

const isList = has<{ grants: readonly GrantView[] }>('grants');
const isGone = has<{ grant: GrantView }>('grant');

/** Standing answers, and the way to take them back. */
export function GrantsView(): JSX.Element {
  const { state } = useLive();
  const [changed, setChanged] = useState(0);
  const [note, setNote] = useState('');
  const loaded = useAsked('/api/grants', isList, `${changed} ${state.settled.length}`);
  async function revoke({ id, text }: GrantView): Promise<void> {
    try {
      await post(`/api/grants/${encodeURIComponent(id)}/revoke`, {}, isGone);
      setNote(`“${text}” is asked about again.`);
    } catch (error) {
      setNote(messageOf(error));
    }
    setChanged(changed + 1);
  }
  return (
    <>
      <h1>Grants</h1>
      <p role="status">{note}</p>
      <Await loaded={loaded}>
        {({ grants }) =>
          grants.length === 0 ? (
            <Empty title="No standing answers.">
              Allow something “in this project” or “always”, and it is listed here. It then applies on every
              agent.
            </Empty>
          ) : (
            <GrantsTable grants={grants} onRevoke={(grant) => void revoke(grant)} />
          )
        }
      </Await>
    </>
  );
}

function GrantsTable({
  grants,
  onRevoke,
}: {
  grants: readonly GrantView[];
  onRevoke: (grant: GrantView) => void;
}): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th>Answer</th>
          <th>To what</th>
          <th>Covers</th>
          <th>Where</th>
          <th>Given</th>
          <th>Until</th>
          <th>
            <span class="unseen">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {grants.map((grant) => (
          <GrantRow key={grant.id} grant={grant} onRevoke={() => onRevoke(grant)} />
        ))}
      </tbody>
    </table>
  );
}

function GrantRow({ grant, onRevoke }: { grant: GrantView; onRevoke: () => void }): JSX.Element {
  return (
    <tr>
      <td>
        <Pill outcome={grant.behavior === 'allow' ? 'allowed' : 'denied'}>{grant.behavior}</Pill>
      </td>
      <td>
        <code>{grant.text}</code>
      </td>
      <td class="meta">{grant.covers}</td>
      <td>
        {grant.scope}
        <span class="meta"> {grant.branch ?? grant.project ?? grant.sessionId?.slice(0, 8) ?? ''}</span>
      </td>
      <td>
        {grant.eventId ? (
          <a href={eventLink(grant.eventId)}>{moment(Date.parse(grant.createdAt))}</a>
        ) : (
          moment(Date.parse(grant.createdAt))
        )}{' '}
        <span class="meta">{grant.by}</span>
      </td>
      <td>{grant.expiresAt === null ? 'revoked' : moment(Date.parse(grant.expiresAt))}</td>
      <td>
        <button type="button" onClick={onRevoke}>
          Revoke<span class="unseen"> {grant.text}</span>
        </button>
      </td>
    </tr>
  );
}

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GrantView } from '../../../../src/daemon/web/shapes.ts';
import { folderName } from '../../../../src/model/text.ts';
import { has, post } from '../../api.ts';
import { eventLink, moment } from '../../format.ts';
import { useAsked, useLive, useNoted } from '../../hooks.ts';
import { Await, Chip, Empty } from '../bits.tsx';

const isList = has<{ grants: readonly GrantView[] }>('grants');
const isGone = has<{ grant: GrantView }>('grant');

/** Lists the grants; each can be revoked. */
export function Grants(): JSX.Element {
  const { state } = useLive();
  const [changed, setChanged] = useState(0);
  const [note, run] = useNoted(() => setChanged((times) => times + 1));
  const loaded = useAsked('/api/grants', isList, `${changed} ${state.settled.length}`);
  async function revoke({ id, text }: GrantView): Promise<string> {
    await post(`/api/grants/${encodeURIComponent(id)}/revoke`, {}, isGone);
    return `Revoked. “${text}” needs approval again.`;
  }
  return (
    <>
      <p role="status" class="sm">
        {note}
      </p>
      <div class="box">
        <Await loaded={loaded}>
          {({ grants }) =>
            grants.length === 0 ? (
              <Empty title="No grants.">
                Choose “Allow and remember” on an approval to add a grant. It applies to every agent.
              </Empty>
            ) : (
              <ul class="grants">
                {grants.map((grant) => (
                  <GrantRow key={grant.id} grant={grant} onRevoke={() => run(() => revoke(grant))} />
                ))}
              </ul>
            )
          }
        </Await>
      </div>
    </>
  );
}

function GrantRow({ grant, onRevoke }: { grant: GrantView; onRevoke: () => void }): JSX.Element {
  const { device } = useLive().state;
  const added = moment(Date.parse(grant.createdAt));
  const place =
    grant.branch ?? (folderName(grant.project ?? grant.cwd) || grant.sessionId?.slice(0, 8) || '');
  return (
    <li class="grant">
      <Chip outcome={grant.behavior === 'allow' ? 'allowed' : 'denied'}>
        {grant.behavior === 'allow' ? 'Allow' : 'Deny'}
      </Chip>
      <div class="grant-what">
        <code>{grant.text}</code>
        <span class="quiet sm">{grant.covers}</span>
      </div>
      <span class="grant-where">
        {grant.scope} <span class="quiet">{grant.scope === 'always' ? '' : place}</span>
      </span>
      <span class="quiet sm">
        added{' '}
        {grant.eventId ? (
          <a class="link" href={eventLink(grant.eventId)}>
            {added}
          </a>
        ) : (
          added
        )}{' '}
        by {grant.by}, until {grant.expiresAt === null ? 'revoked' : moment(Date.parse(grant.expiresAt))}
      </span>
      {device === null && (
        <button type="button" class="button" onClick={onRevoke}>
          Revoke<span class="unseen"> {grant.text}</span>
        </button>
      )}
    </li>
  );
}

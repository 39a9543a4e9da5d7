import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ProposalView } from '../../../../src/daemon/web/shapes.ts';
import { has, post } from '../../api.ts';
import { useAsked, useNoted } from '../../hooks.ts';
import { Await, Empty } from '../bits.tsx';

const isList = has<{ proposals: readonly ProposalView[] }>('proposals');
const isAccepted = has<{ proposal: ProposalView }>('proposal');

/** Suggested grants, for calls that you allow repeatedly. */
export function Learned(): JSX.Element {
  const [changed, setChanged] = useState(0);
  const [note, run] = useNoted(() => setChanged((times) => times + 1));
  const loaded = useAsked('/api/proposals', isList, changed);
  async function accept({ id, text }: ProposalView): Promise<string> {
    await post(`/api/proposals/${encodeURIComponent(id)}/accept`, {}, isAccepted);
    return `Added a grant. “${text}” no longer needs approval.`;
  }
  return (
    <>
      <p role="status" class="sm">
        {note}
      </p>
      <Await loaded={loaded}>
        {({ proposals }) =>
          proposals.length === 0 ? (
            <div class="box">
              <Empty title="No suggestions yet.">
                A call you allow 3 times in 14 days, and never deny, appears here as a suggested grant.
              </Empty>
            </div>
          ) : (
            <ul class="proposals">
              {proposals.map((one) => (
                <Proposal key={one.id} proposal={one} onAccept={() => run(() => accept(one))} />
              ))}
            </ul>
          )
        }
      </Await>
    </>
  );
}

function Proposal({ proposal, onAccept }: { proposal: ProposalView; onAccept: () => void }): JSX.Element {
  const { text, times, place, examples, nearMisses } = proposal;
  return (
    <li class="box proposal">
      <div class="line">
        <code class="grow">{text}</code>
        <span class="quiet sm">
          allowed {times} times, {place === 'everywhere' ? place : `in ${place}`}
        </span>
        <button type="button" class="button" onClick={onAccept}>
          Add grant<span class="unseen"> {text}</span>
        </button>
      </div>
      <dl>
        {examples.map((one) => (
          <div key={one}>
            <dt class="good">covers</dt>
            <dd>
              <code>{one}</code>
            </dd>
          </div>
        ))}
        {nearMisses.map((one) => (
          <div key={one}>
            <dt class="quiet">not covered</dt>
            <dd>
              <code>{one}</code>
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

import { randomBytes } from 'node:crypto';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { AGENTS } from '../../agents/_registry.ts';
import type { GrantFile } from '../../approvals/grant-file.ts';
import { type Proposal, proposals } from '../../history/replay/learn.ts';
import { type RecordedCall, recordedCalls } from '../../history/replay/recorded-calls.ts';
import { grantSurroundings } from '../../home/engine.ts';
import { CALLS_AHEAD, sessionKey } from '../../model/events.ts';
import { folderName } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import type { ProposalView } from './shapes.ts';

/** Suggested grants, and the way to accept one. */
interface Learning {
  list(): Promise<readonly ProposalView[]>;
  /** Null if it wasn't proposed. */
  accept(id: string, by: string): ProposalView | null;
}

const DAYS = 14;
const OFTEN = 3;
const STEP = 200;

export function createLearning(db: Database, grants: GrantFile): Learning {
  let known: readonly Proposal[] = [];
  return {
    async list() {
      const calls = await askedCalls(db, Date.now() - DAYS * 86_400_000);
      known = proposals(calls, {
        agents: AGENTS,
        grants: grants.list(),
        around: grantSurroundings(),
        times: OFTEN,
        newId: () => randomBytes(4).toString('hex'),
      });
      return known.map(viewOf);
    },
    accept(id, by) {
      const found = known.find(({ grant }) => grant.id === id);
      if (!found) return null;
      grants.add({ ...found.grant, by: `${by}, after ${found.grant.by}` });
      known = known.filter((one) => one !== found);
      return viewOf(found);
    },
  };
}

function viewOf({ grant, times, examples, nearMisses }: Proposal): ProposalView {
  const place = grant.scope === 'always' ? 'everywhere' : folderName(grant.project ?? grant.cwd);
  return { id: grant.id, text: grant.text, scope: grant.scope, place, times, examples, nearMisses };
}

/** Calls that a person was asked about, with their outcomes. Read in small parts, so that no call is delayed. */
async function askedCalls(db: Database, since: number): Promise<readonly RecordedCall[]> {
  const found: RecordedCall[] = [];
  const asked = new Set<string>();
  let read = 0;
  for (const call of recordedCalls(db, { since })) {
    read += 1;
    if (read % STEP === 0) await letOthersRun();
    const key = `${sessionKey(call)}\0${call.toolNumber}`;
    const isAhead = CALLS_AHEAD.has(call.type) && call.opinions.length > 0;
    if (isAhead) asked.add(key);
    if (isAhead || (call.type === 'after_tool' && asked.has(key))) found.push(call);
  }
  return found;
}

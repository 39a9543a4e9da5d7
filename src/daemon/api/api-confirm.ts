import { Hono } from 'hono';
import * as v from 'valibot';
import { changeRecord } from '../../access/record.ts';
import {
  actionFor,
  confirmedText,
  confirmSeen,
  markOf,
  notAsSeen,
  type PendingChange,
  pendingChanges,
} from '../../home/confirmed/pending.ts';
import { changedLines } from '../../model/changes.ts';
import type { Action } from '../../model/people/access.ts';
import { type ApiEnv, guarded } from '../http/guard.ts';
import { readBody } from '../http/read-body.ts';
import { sendRedacted } from '../http/send-redacted.ts';
import type { Daemon } from '../run-daemon.ts';
import type { PendingView } from '../web/shapes.ts';

const confirming = v.strictObject({ seen: v.record(v.string(), v.string()) });

/** Anyone may read unconfirmed changes; only a person may confirm them. */
export function confirmRoutes({ home, hub, access }: Pick<Daemon, 'home' | 'hub' | 'access'>): Hono<ApiEnv> {
  const { paths, confirmed } = home;
  const api = new Hono<ApiEnv>();
  const pending = () => pendingChanges(paths, confirmed);
  api.get('/confirm', (c) => sendRedacted(c, viewOf(pending())));
  api.post('/confirm', async (c) => {
    const { seen } = await readBody(c, confirming);
    const changes = pending().changes.filter(({ file }) => Object.hasOwn(seen, file));
    const refused = await guarded(access, rightFor(changes, seen))(c, async () => {
      confirmSeen(paths, confirmed, seen);
      hub.ownFiles.accept();
      hub.confirmWatch.look();
      hub.note(changeRecord('rules', c.var.by, confirmedText(changes)));
    });
    return refused ?? sendRedacted(c, viewOf(pending()));
  });
  return api;
}

/** Depends on the texts that the person saw: a file changed since then could require more. */
function rightFor(changes: readonly PendingChange[], seen: Readonly<Record<string, string>>): Action {
  const other = changes.find(({ file, after }) => seen[file] !== markOf(after));
  if (other) throw notAsSeen(other.file);
  return actionFor(changes);
}

const AROUND = 2;

function viewOf({ lost, changes }: ReturnType<typeof pendingChanges>): PendingView {
  return {
    lost,
    changes: changes.map(({ file, lines, before, after }) => ({
      file,
      lines,
      mark: markOf(after),
      diff: changedLines(linesIn(before), linesIn(after), AROUND),
    })),
  };
}

function linesIn(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

import { awaySentence, awaySummary } from '../history/sessions/away-summary.ts';
import type { OpenHome } from '../home/open.ts';
import { messageOf } from '../model/errors.ts';
import { type Away, openAway } from './away.ts';

/** Away mode of a home. When it ends on time, every surface gets the summary. */
export function openHomeAway({ paths, db, alerts, log }: OpenHome): Away {
  return openAway({
    path: paths.away,
    now: Date.now,
    failed: (error) => log('error', `can't save the end of away mode: ${messageOf(error)}`),
    ended({ since, until }) {
      log('info', 'away mode has ended');
      const said = awaySentence(awaySummary(db, since, until, Date.now()));
      const message = `Away mode has ended. Since it was turned on: ${said}`;
      alerts.raise({ code: 'away-ended', level: 'notice', message, fix: 'Run `hookline back` to see it.' });
    },
  });
}

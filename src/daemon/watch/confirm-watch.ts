import { CONFIRM_HINT, pendingChanges, pendingText } from '../../home/confirmed/pending.ts';
import type { OpenHome } from '../../home/open.ts';
import { UNCONFIRMED } from '../../model/alert.ts';
import { watchOwnFiles } from './own-files.ts';

export interface ConfirmWatch {
  /** Sends unconfirmed changes to the dashboard and terminal UI. */
  look(): void;
  /** The same, if a file changed since. */
  lookAgain(): void;
}

/** Notices settings or rules that wait for a person's confirmation. */
export function createConfirmWatch({
  paths,
  confirmed,
  alerts,
}: Pick<OpenHome, 'paths' | 'confirmed' | 'alerts'>): ConfirmWatch {
  const files = watchOwnFiles(paths);
  let told: string | null = null;
  const look = () => {
    const message = pendingText(pendingChanges(paths, confirmed));
    if (message === told) return;
    told = message;
    alerts.clear(UNCONFIRMED);
    if (message !== null) alerts.raise({ code: UNCONFIRMED, level: 'problem', message, fix: CONFIRM_HINT });
  };
  return {
    look,
    lookAgain() {
      if (files.changes().length > 0) look();
      if (confirmed.restore())
        alerts.raise({
          code: 'confirmed-deleted',
          level: 'problem',
          message: 'The confirmed version of your settings and rules was deleted. It was restored.',
          fix: null,
        });
    },
  };
}

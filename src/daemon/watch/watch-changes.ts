import { basename } from 'node:path';
import { alertRecord } from '../../access/record.ts';
import type { OpenHome } from '../../home/open.ts';
import type { Alert } from '../../model/alert.ts';
import { messageOf } from '../../model/errors.ts';
import { counted } from '../../model/text.ts';
import { redact } from '../../redact/redact.ts';
import { createApprovalStore } from '../../store/record/approval-store.ts';
import { RECOVER } from '../../store/repair/alerts.ts';
import { listSetAside } from '../../store/repair/set-aside.ts';
import { takeImpostor } from '../../wire/impostor.ts';
import type { CallHandler } from '../call-handler.ts';
import { createProgramWatch } from './program-watch.ts';

const LOOK_EVERY_MS = 1_000;
/** Reading the settings of agents takes longer. */
const GUARDS_EVERY = 10;

/**
 * Looks after the home while nothing is called: whether its files are as they were, and whether what could not be recorded
 * can be now. What it finds is an alert on every surface and an event of the history. Gives the way to stop.
 */
export function watchChanges(home: OpenHome, hub: CallHandler): () => void {
  const { alerts, log } = home;
  const alertEvents = createAlertEvents(home, hub);
  const program = createProgramWatch(home);
  let looks = 0;
  const steps: readonly (() => void)[] = [
    home.checkFiles,
    () => {
      const changes = hub.ownFiles.changes();
      if (changes.length > 0)
        alerts.raise({
          code: 'files-changed',
          level: 'notice',
          message: `${changes.join(', ')}.`,
          fix: null,
        });
    },
    () => {
      if (looks % GUARDS_EVERY !== 0) return;
      hub.guardWatch.look();
      void program.lookAgain();
    },
    hub.confirmWatch.lookAgain,
    () => alertImpostor(home),
    hub.unrecorded.retry,
    alertEvents.record,
  ];
  const look = () => {
    looks += 1;
    for (const step of steps) carefully(step, log);
  };
  alertSetAside(home);
  alertImpostor(home);
  carefully(hub.confirmWatch.look, log);
  setImmediate(() => void program.look());
  setImmediate(() => carefully(alertEvents.record, log));
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    program.stop();
    alertEvents.stop();
  };
}

function carefully(step: () => void, log: OpenHome['log']): void {
  try {
    step();
  } catch (error) {
    log('error', `can't check the home: ${messageOf(error)}`);
  }
}

/** Reports the databases that an earlier daemon set aside. */
function alertSetAside({ paths, alerts }: OpenHome): void {
  const aside = listSetAside(paths.database);
  if (aside.length === 0 || alerts.list().some(({ fix }) => fix === RECOVER)) return;
  const message = `Moved ${counted(aside.length, 'damaged database')} of the history aside: ${aside.map((path) => basename(path)).join(', ')}.`;
  alerts.raise({ code: 'history-set-aside', level: 'problem', message, fix: RECOVER });
}

/** A forwarder met another process on the socket, while this daemon was stopped or there was none. */
function alertImpostor({ paths, alerts }: OpenHome): void {
  const pid = takeImpostor(paths.root);
  if (pid === null) return;
  const who = pid === 0 ? 'A process' : `Process ${pid}`;
  alerts.raise({
    code: 'impostor',
    level: 'problem',
    message: `${who} took over the daemon's socket and answered calls. Its answers were ignored, and the rules decided.`,
    fix: 'Find out what it is and end it. Then run `hookline down` and `hookline up`.',
  });
}

/** Alerts that are to become events of the history, once that can be written. */
function createAlertEvents({ alerts, db }: OpenHome, hub: CallHandler): { record(): void; stop(): void } {
  const waiting: Alert[] = [...alerts.list()];
  const approvals = createApprovalStore(db, redact);
  const record = () => {
    for (let alert = waiting[0]; alert; alert = waiting[0]) {
      // Where it failed because the disk is full, this is tried again with the next look.
      if (alert.code === 'history-damaged')
        for (const one of hub.approvals.queue.pending()) approvals.save(one);
      hub.note(alertRecord(alert));
      waiting.shift();
    }
  };
  const stop = alerts.subscribe((alert) => {
    if (alert === null) return;
    waiting.push(alert);
    // The database may just be being replaced.
    setImmediate(() => carefully(record, () => {}));
  });
  return { record, stop };
}

import { existsSync } from 'node:fs';
import { HooklineError, messageOf } from '../model/errors.ts';
import { fileFault } from '../store/database/driver.ts';
import { type Recovered, recoverFrom } from '../store/repair/recover.ts';
import { listSetAside, markRecovered } from '../store/repair/set-aside.ts';
import type { OpenHome } from './open.ts';

/** Alerts about damage, until it is recovered. */
const ABOUT_DAMAGE = ['history-damaged', 'history-missing', 'history-set-aside'];

/** Recovers what is readable from a damaged database, and renames one that was set aside. */
export function recoverInto(home: OpenHome, file: string): Recovered {
  const { db, signer, log, alerts, paths } = home;
  if (!existsSync(file) && !existsSync(`${file}-wal`))
    throw new HooklineError('NOT_FOUND', `File not found: ${file}.`);
  try {
    const result = recoverFrom(file, db, signer);
    if (listSetAside(paths.database).includes(file)) markRecovered(file);
    if (listSetAside(paths.database).length === 0) for (const code of ABOUT_DAMAGE) alerts.clear(code);
    log('info', 'recovered', { file, ...result });
    home.observing.note();
    return result;
  } catch (error) {
    if (fileFault(error) !== 'damaged') throw error;
    throw new HooklineError('NOT_FOUND', `No data could be read from ${file}: ${messageOf(error)}.`, {
      hint: 'You can recover from a copy of the database made before the damage: `hookline history recover <file>`.',
    });
  }
}

import { existsSync } from 'node:fs';
import { HooklineError, messageOf } from '../model/errors.ts';
import { fileFault } from '../store/database/driver.ts';
import { type Recovered, recoverFrom } from '../store/repair/recover.ts';
import { listSetAside, markRecovered } from '../store/repair/set-aside.ts';
import type { OpenHome } from './open.ts';

/** What is told of damage, until it is recovered. */
const ABOUT_DAMAGE = ['history-damaged', 'history-missing', 'history-set-aside'];

/** Takes what can be read out of a damaged database. One that was set aside gets another name then. */
export function recoverInto(home: OpenHome, file: string): Recovered {
  const { db, signer, log, alerts, paths } = home;
  if (!existsSync(file) && !existsSync(`${file}-wal`))
    throw new HooklineError('NOT_FOUND', `There is no file ${file}.`);
  try {
    const result = recoverFrom(file, db, signer);
    if (listSetAside(paths.database).includes(file)) markRecovered(file);
    if (listSetAside(paths.database).length === 0) for (const code of ABOUT_DAMAGE) alerts.clear(code);
    log('info', 'recovered', { file, ...result });
    home.observing.note();
    return result;
  } catch (error) {
    if (fileFault(error) !== 'damaged') throw error;
    throw new HooklineError('NOT_FOUND', `Nothing can be read in ${file}: ${messageOf(error)}.`, {
      hint: 'A copy of the database from before the damage can be recovered instead: `hookline history recover <file>`.',
    });
  }
}

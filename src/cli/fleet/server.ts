import { openArchiveServer } from '../../fleet/archive/server.ts';
import type { Stored } from '../../fleet/archive/write.ts';
import { readFleetSecrets } from '../../fleet/settings.ts';
import type { HomePaths } from '../../home/paths.ts';
import type { Log } from '../../model/log.ts';
import { clockTime, counted } from '../../model/text.ts';
import { terminalLine } from '../../terminal/visible.ts';
import { paint } from '../output/paint.ts';
import { databaseGiven } from './database.ts';
import { joinedSettings } from './session.ts';

/** Interval between reports of stored records, in ms. */
const SAY_MS = 10_000;

/** Archives the team's records in PostgreSQL until it is stopped. */
export async function runFleetServer(
  paths: HomePaths,
  options: Parameters<typeof databaseGiven>[0],
): Promise<number> {
  const settings = joinedSettings(paths);
  const address = await databaseGiven(options);
  const log: Log = (level, message) =>
    console.log(
      terminalLine(`${clockTime(Date.now())} ${level === 'info' ? message : paint.yellow(message)}`),
    );
  const counts = sayNowAndThen(log);
  // Handles signals before anything is opened, so that an early stop leaves nothing behind.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const server = await openArchiveServer({
    settings,
    secrets: readFleetSecrets(paths, settings),
    address,
    log,
    stored: counts.add,
  });
  log('info', `Archiving the fleet ${settings.team} in ${address.shown}. Stop with Ctrl-C.`);
  await stopped;
  await server.close();
  counts.say();
  return 0;
}

function sayNowAndThen(log: Log): { add(what: Stored): void; say(): void } {
  let [records, refused, saidAt] = [0, 0, 0];
  const say = () => {
    if (records + refused === 0) return;
    const rejected =
      refused === 0
        ? ''
        : ` Rejected ${counted(refused, 'message')} that failed the signature check; see the table hookline.refused.`;
    log(refused === 0 ? 'info' : 'warning', `Stored ${counted(records, 'record')}.${rejected}`);
    [records, refused, saidAt] = [0, 0, Date.now()];
  };
  return {
    add(what) {
      records += what.records;
      refused += what.refused;
      if (Date.now() - saidAt >= SAY_MS) say();
    },
    say,
  };
}

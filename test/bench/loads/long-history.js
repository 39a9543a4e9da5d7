// A home with a long history. Every event of it was called in: copies that a store did not write itself would be found out.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openScratchHome, residentMegabytes } from '../processes/scratch-home.js';
import { ingest } from './history-calls.js';

const MOST_OBSERVING_MS = 20 * 60_000;

/**
 * Resolves when all events are observed and in the search index. The daemon is down then; `memory` is what it held, in MB.
 *
 * @param {number} events
 */
export async function makeHistory(events) {
  console.error(`  recording ${events.toLocaleString('en')} events …`);
  const home = openScratchHome('', false);
  try {
    await ingest(home.daemon.socket, events);
    await observe(home);
    const { events: stored } = JSON.parse(home.hookline('status', '--json'));
    if (stored !== events) throw new Error(`${events} calls were answered, ${stored} are in the history`);
    home.memory = residentMegabytes(home.daemon.pid);
    home.hookline('down');
    return home;
  } catch (error) {
    home.close();
    throw error;
  }
}

export function startAgain(home) {
  home.hookline('up');
  home.daemon = JSON.parse(home.hookline('status', '--json')).daemon;
}

/** The views of events after they were answered. */
export async function observe(home) {
  const headers = { authorization: `Bearer ${home.token}` };
  const end = performance.now() + MOST_OBSERVING_MS;
  for (let done = false; !done; ) {
    if (performance.now() > end) throw new Error('the events were not observed in time');
    const response = await fetch(`${home.daemon.http}/api/observe`, { method: 'POST', headers });
    ({ done } = await response.json());
  }
}

export const historyBytes = (home) => statSync(join(home.home, 'hookline.db')).size;

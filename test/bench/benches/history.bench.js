// How the cost of looking back, of starting and of calls grows with the history: 10,000 and 100,000 events, with `--million` a
// million, in turns; and what memory the daemon holds after recording them, no two commands of which are the same.
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, pairedRatio, ratioAtMost, valueAtMost } from '../figures.js';
import { launchBrowser, missingBrowser, usefulPaint } from '../loads/dashboard-page.js';
import { openSearch } from '../loads/history-search.js';
import { load } from '../loads/load.js';
import { historyBytes, makeHistory, startAgain } from '../loads/long-history.js';
import { inTurns } from '../loads/turns.js';
import { untilItListens } from '../processes/daemon-start.js';
import { timed } from '../processes/processor.js';
import { root } from '../processes/scratch-home.js';

const ROUNDS = 9;
const QUICK_ROUNDS = 4;
const SIZES = [10_000, 100_000];
const MILLION = 1_000_000;
/** From here on words have more hits than a search looks at; with fewer there is less to do. */
const ALL_HITS = 100_000;
const CALLS = 800;
const FLAT = ratioAtMost(1.5);
const MOST_MEGABYTES = 150;
/** Twice the measured value. */
const MOST_BYTES_AN_EVENT = 4_000;

/** @param {{ quick: boolean, million: boolean }} options */
export async function run({ quick, million }) {
  const sizes = million ? [...SIZES, MILLION] : SIZES;
  const missing = missingRoom(sizes.reduce((sum, size) => sum + size, 0));
  if (missing !== null) return [{ name: 'a long history', skipped: missing }];
  const rounds = quick ? QUICK_ROUNDS : ROUNDS;
  const homes = [];
  try {
    for (const size of sizes) homes.push(await makeHistory(size));
    const starts = await ofEach(homes, rounds, (home) => untilItListens(home.home, home.env));
    const bytes = homes.map((home, at) => [historyBytes(home) / sizes[at]]);
    for (const home of homes) startAgain(home);
    const figures = figuresFor(sizes);
    return [
      ...figures('a daemon until it listens, processor', 'ms', starts),
      ...figures('hookline events, processor', 'ms', await ofEach(homes, rounds, eventsProcessor)),
      ...figures('a search', 'ms', await searches(homes, rounds), ALL_HITS),
      ...(await paints(homes, rounds, figures)),
      ...figures('a call, processor', 'µs', await ofEach(homes, rounds, callProcessor)),
      ...figures('room an event', 'bytes', bytes),
      ...homes.map((home, at) => ({
        ...{ name: `memory of the daemon after ${sizes[at].toLocaleString('en')} calls`, value: home.memory },
        ...{ unit: 'MB', target: valueAtMost(MOST_MEGABYTES) },
      })),
    ];
  } finally {
    for (const home of homes) home.close();
  }
}

/** Why so many events can't be stored here; null where they can. */
function missingRoom(events) {
  const { bavail, bsize } = statfsSync(tmpdir());
  const wanted = events * MOST_BYTES_AN_EVENT;
  if (bavail * bsize >= wanted) return null;
  return `it wants ${(wanted / 1e9).toFixed(1)} GB of free space in ${tmpdir()}`;
}

/** Measures each home in each round. The first round fills the caches. */
async function ofEach(homes, rounds, measure) {
  const measures = homes.map((home) => (round) => measure(home, round));
  const all = await inTurns(rounds + 1, measures);
  return all.map((values) => values.slice(1));
}

/** Rows of a table: one for each size of the history. Those above `from` should cost no more than that one. */
function figuresFor(sizes) {
  return (name, unit, values, from = sizes[0]) =>
    sizes.map((size, at) => {
      const figure = {
        name: `${name}, ${size.toLocaleString('en')} events`,
        value: median(values[at]),
        unit,
      };
      if (at === 0) return figure;
      const to = size > from ? from : sizes[0];
      const ratio = pairedRatio(values[at], values[sizes.indexOf(to)]);
      const beside = { ...figure, ratio, to: `${to.toLocaleString('en')} events` };
      return size > from ? { ...beside, target: FLAT } : beside;
    });
}

function eventsProcessor({ env }) {
  const args = [join(root, 'bin/hookline.js'), 'events', '--limit', '20'];
  return timed({ name: 'hookline events', args, env, input: '' }).processor;
}

async function searches(homes, rounds) {
  const opened = new Map();
  try {
    for (const home of homes) opened.set(home, await openSearch(home));
    return await ofEach(homes, rounds, (home) => opened.get(home).search());
  } finally {
    for (const { close } of opened.values()) await close();
  }
}

async function paints(homes, rounds, figures) {
  const name = 'the dashboard, first useful paint';
  if (missingBrowser !== null) return [{ name, skipped: missingBrowser }];
  const browser = await launchBrowser();
  try {
    return figures(name, 'ms', await ofEach(homes, rounds, (home) => usefulPaint(browser, home)));
  } finally {
    await browser.close();
  }
}

async function callProcessor({ daemon }, round) {
  return (await load(daemon, `h${round}`, 8, CALLS)).processor;
}

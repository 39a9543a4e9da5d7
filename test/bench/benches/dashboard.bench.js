// How soon the dashboard shows something useful with a long history, and whether it stays smooth while much happens.
// Needs Chromium; all figures are taken in it.
import { connect } from 'node:net';
import { median, percentile, valueAtMost } from '../figures.js';
import { launchBrowser, missingBrowser, usefulPaint } from '../loads/dashboard-page.js';
import { observe } from '../loads/long-history.js';
import { openScratchHome } from '../processes/scratch-home.js';

const STORED = 100_000;
const ROUNDS = 5;
const A_SECOND = 200;
const SECONDS = 8;

export async function run() {
  if (missingBrowser !== null) return [{ name: 'the dashboard', skipped: missingBrowser }];
  const home = openScratchHome();
  const browser = await launchBrowser();
  try {
    await Promise.all([0, 1, 2, 3].map((lane) => fill(home.daemon.socket, lane, STORED / 4)));
    // What is made of the events afterwards would be measured along with the page.
    await observe(home);
    const paints = [];
    for (let round = 0; round < ROUNDS; round += 1) paints.push(await usefulPaint(browser, home));
    const frames = await frameTimes(browser, home);
    return [...paintFigures(paints), ...frameFigures(frames)];
  } finally {
    await browser.close();
    home.close();
  }
}

function paintFigures(paints) {
  const name = `first useful paint with ${STORED} events stored`;
  return [
    { name: `${name}, median`, value: median(paints), unit: 'ms', target: valueAtMost(1_000) },
    { name: `${name}, worst`, value: Math.max(...paints), unit: 'ms' },
  ];
}

function frameFigures({ times, shown }) {
  const sorted = [...times].sort((a, b) => a - b);
  const name = `frames while ${shown} events come in ${SECONDS} s`;
  const shares = { median: 0.5, '95 %': 0.95, '99 %': 0.99, worst: 1 };
  return [
    ...Object.entries(shares).map(([part, share]) => ({
      name: `${name}, ${part}`,
      value: percentile(sorted, share),
      unit: 'ms',
    })),
    {
      name: `${name}, over 50 ms`,
      value: sorted.filter((ms) => ms > 50).length,
      unit: `of ${sorted.length}`,
    },
  ];
}

async function frameTimes(browser, home) {
  const page = await browser.newPage();
  const { url } = JSON.parse(home.hookline('open', '--json', '--as-script'));
  await page.goto(url);
  await page.locator('.lane-label').first().waitFor();
  const before = await total(page);
  const measured = page.evaluate(
    (ms) =>
      new Promise((resolve) => {
        const times = [];
        const start = performance.now();
        let last = start;
        const frame = (now) => {
          times.push(now - last);
          last = now;
          if (now - start < ms) requestAnimationFrame(frame);
          else resolve(times.slice(1));
        };
        requestAnimationFrame(frame);
      }),
    SECONDS * 1000,
  );
  await fill(home.daemon.socket, 9, A_SECOND * SECONDS, 1000 / A_SECOND);
  const times = await measured;
  return { times, shown: (await total(page)) - before };
}

async function total(page) {
  return Number((await page.locator('[data-total]').textContent()).replaceAll(',', ''));
}

/** Calls one after the other, every so many ms if that is given. */
function fill(path, lane, count, everyMs = 0) {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const start = performance.now();
    let sent = 0;
    const ask = () => {
      if (sent === count) {
        socket.end();
        resolve();
        return;
      }
      sent += 1;
      const number = Math.floor(sent / 2);
      const done = sent % 2 === 0;
      const payload = {
        session_id: `session-${lane}-${Math.floor(sent / 500)}`,
        cwd: '/home/dev/shop',
        hook_event_name: done ? 'PostToolUse' : 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: `npm test -- part-${lane}-${number}`, description: 'Run a part of the tests' },
        tool_use_id: `toolu_${lane}_${number}`,
        ...(done ? { tool_response: { stdout: 'ok', stderr: '' } } : {}),
      };
      const request = { request_id: `${lane}-${sent}`, ts: Date.now(), agent: 'claude', payload };
      socket.write(`${JSON.stringify(request)}\n`);
    };
    socket.on('data', (chunk) => {
      if (!chunk.includes(10)) return;
      const wait = everyMs === 0 ? 0 : start + sent * everyMs - performance.now();
      if (wait > 0) setTimeout(ask, wait);
      else ask();
    });
    socket.on('error', reject);
    socket.on('connect', ask);
  });
}

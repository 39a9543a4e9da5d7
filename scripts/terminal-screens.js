// Takes the screens of docs/approvals.md from the demo, in a real terminal: `node scripts/terminal-screens.js`. Needs tmux and
// a browser, which draws the pictures.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = `${root}/bin/hookline.js`;
const folder = mkdtempSync(join(tmpdir(), 'hookline-screens-'));
const SIZES = [
  [80, 24],
  [160, 45],
];

const demo = spawn(process.execPath, [bin, 'demo', '--stay'], { stdio: ['ignore', 'pipe', 'inherit'] });
const home = await new Promise((resolve, reject) => {
  let text = '';
  demo.stdout.on('data', (chunk) => {
    text += chunk;
    const found = /home +(\S+)/.exec(text)?.[1];
    if (found) resolve(found);
  });
  demo.on('exit', () => reject(new Error(`the demo ended: ${text}`)));
});

/** The screen with its styles, once three approvals are pending. */
async function capture(columns, rows) {
  const tmux = (...args) =>
    execFileSync('tmux', ['-S', join(folder, `socket-${columns}`), '-f', '/dev/null', ...args], {
      env: { PATH: process.env.PATH, HOOKLINE_HOME: home, LANG: 'C.UTF-8', TERM: 'screen-256color' },
      encoding: 'utf8',
    });
  const size = ['-x', String(columns), '-y', String(rows)];
  tmux('new-session', '-d', ...size, `${process.execPath} ${bin} watch`);
  try {
    for (const deadline = Date.now() + 60_000; ; await pause(200)) {
      if (/3 pending[\s\S]*\[a\]/.test(tmux('capture-pane', '-p'))) break;
      if (Date.now() > deadline) throw new Error('three approvals were never pending');
    }
    await pause(1_000);
    return tmux('capture-pane', '-p', '-e').trimEnd();
  } finally {
    tmux('kill-server');
  }
}

const CLASSES = { 1: 'bold', 2: 'dim', 4: 'line', 31: 'red', 32: 'green', 33: 'amber', 34: 'blue' };
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text with styles as a page: each run of text in the classes of the codes before it. */
function pageOf(screen) {
  let codes = new Set();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what terminals get.
  const body = screen.split(/(\x1b\[[\d;]*m)/).map((part) => {
    if (!part.startsWith('\x1b[')) {
      const text = part.replace(/[&<>]/g, (sign) => ENTITIES[sign]);
      return `<span class="${[...codes].map((code) => CLASSES[code] ?? '').join(' ')}">${text}</span>`;
    }
    for (const code of part.slice(2, -1).split(';').map(Number)) {
      if (code === 0) codes = new Set();
      else if (code === 39) codes = new Set([...codes].filter((one) => one < 30));
      else codes.add(code);
    }
    return '';
  });
  return `<style>body{margin:0;background:#0e1113}pre{margin:0;padding:16px;display:inline-block;color:#e8ebed;
    font:14px/18px "DejaVu Sans Mono",monospace}.bold{font-weight:700}.dim{color:#8e979f}.line{text-decoration:underline}
    .red{color:#ff9389}.green{color:#70d49e}.amber{color:#f3b955}.blue{color:#86b1ff}</style><pre>${body.join('')}</pre>`;
}

const browser = await chromium.launch({
  executablePath: process.env.HOOKLINE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  for (const [columns, rows] of SIZES) {
    const file = join(folder, 'screen.html');
    writeFileSync(file, `<meta charset="utf-8">${pageOf(await capture(columns, rows))}`);
    await page.goto(`file://${file}`);
    await page.locator('pre').screenshot({ path: `${root}/docs/images/watch-${columns}x${rows}.png` });
  }
} finally {
  await browser.close();
  demo.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

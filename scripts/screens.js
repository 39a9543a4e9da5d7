// Takes pictures of every place of the dashboard, with sessions as they are, light, dark and on a phone:
// `node scripts/screens.js [FOLDER]`. Without a folder, those that the docs show are put into docs/images.
import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { openAgents } from './screens/agents.js';
import { takePictures } from './screens/pictures.js';
import { askNow, playPast, RULES } from './screens/scene.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = process.argv[2] ?? null;
const folder = mkdtempSync(join(tmpdir(), 'hookline-screens-'));
const home = join(folder, 'hookline');
// There is no person at a terminal who could let a browser in.
const key = randomBytes(32).toString('hex');
const env = { PATH: process.env.PATH, HOME: folder, HOOKLINE_HOME: home, HOOKLINE_SCRIPT_KEY: key };

mkdirSync(join(home, 'rules'), { recursive: true });
writeFileSync(
  join(home, 'config.yaml'),
  'http: { port: 0 }\npacks: { databases: on }\napprovals: { waitSeconds: 580 }\n',
);
writeFileSync(join(home, 'rules', 'mine.yaml'), RULES);
const hash = createHash('sha256').update(key).digest('hex');
writeFileSync(
  join(home, 'script-keys.json'),
  JSON.stringify({ keys: [{ name: 'screens', createdAt: new Date().toISOString(), hash }] }),
);
const bin = join(root, 'bin', 'hookline.js');
execFileSync(process.execPath, [bin, 'setup', 'claude', '--yes'], { env, stdio: 'ignore' });
const daemon = spawn(process.execPath, [bin, 'daemon'], { env, stdio: 'ignore' });
const browser = await chromium.launch({
  executablePath: process.env.HOOKLINE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  const info = await started(join(home, 'run', 'daemon.json'));
  const agents = openAgents(info.socket, folder);
  const now = Date.now();
  const webhook = await playPast(agents, now);
  const { url } = JSON.parse(
    execFileSync(process.execPath, [bin, 'open', '--json', '--as-script'], { env, encoding: 'utf8' }),
  );
  const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
  await page.goto(url);
  await page.getByText('No pending approvals').waitFor();
  await takePictures(page, target ?? join(root, 'docs', 'images'), {
    all: target !== null,
    ask: () => askNow(agents, webhook, Date.now()),
  });
  agents.close();
} finally {
  await browser.close();
  daemon.kill('SIGTERM');
  await pause(500);
  rmSync(folder, { recursive: true, force: true });
}

async function started(file) {
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      await pause(50);
    }
  }
  throw new Error('the daemon did not start');
}

// A throw-away Hookline with a running daemon and Claude Code set up, for measuring.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export function openScratchHome(rules = '') {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  const home = join(folder, 'hookline');
  const env = { PATH: process.env.PATH, HOME: folder, HOOKLINE_HOME: home };
  const hookline = (...args) =>
    execFileSync(process.execPath, [join(root, 'bin/hookline.js'), ...args], { env, encoding: 'utf8' });
  mkdirSync(join(home, 'rules'), { recursive: true });
  writeFileSync(join(home, 'config.yaml'), 'http: { port: 0 }\n');
  writeFileSync(join(home, 'rules/bench.yaml'), rules);
  hookline('setup', 'claude', '--yes');
  hookline('up');
  const { daemon } = JSON.parse(hookline('status', '--json'));
  return {
    folder,
    home,
    env,
    hookline,
    daemon,
    token: readFileSync(join(home, 'run/token'), 'utf8').trim(),
    forwarder: join(home, 'bin/hookline-forward'),
    close() {
      hookline('down');
      rmSync(folder, { recursive: true });
    },
  };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export function residentMegabytes(pid) {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/);
  return line ? Number(line[1]) / 1024 : null;
}

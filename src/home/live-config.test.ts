import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { openConfirmed } from './confirmed/confirmed.ts';
import { openLiveConfig } from './live-config.ts';
import { homePaths } from './paths.ts';

function opened(text: string) {
  const paths = homePaths(scratchFolder());
  const path = paths.config;
  writeFileSync(path, text);
  const reports: string[] = [];
  const { config } = openLiveConfig(path, openConfirmed(paths), {
    changed: ({ failure }) => reports.push(`changed ${failure}`),
    failed: (problem) => reports.push(`failed ${problem}`),
  });
  return { config, reports, write: (next: string) => writeFileSync(path, next), remove: () => rmSync(path) };
}

test('a change applies at the next check and is reported once', () => {
  const { config, reports, write } = opened('failure: open\n');
  const { packs } = config;
  expect(config.packs).toBe(packs);
  write('failure: closed\npacks: {calm: on}\nmemory: {on: true}\n');
  expect(config.failure).toBe('closed');
  expect(config).toMatchObject({ packs: { calm: 'on' }, memory: { on: true } });
  expect(reports).toEqual(['changed closed']);
});

test('settings that need a restart stay unchanged', () => {
  const { config, write } = opened('http: {port: 1}\nnotify: {desktop: false}\n');
  write('http: {port: 2}\nnotify: {desktop: true}\napprovals: {hold: never}\n');
  expect(config).toMatchObject({
    http: { port: 1 },
    notify: { desktop: false },
    approvals: { hold: 'never' },
  });
});

test('a broken, empty or missing file widens nothing', () => {
  const { config, reports, write, remove } = opened('failure: closed\n');
  for (const next of ['failure: maybe\n', 'failure: [', '']) {
    write(next);
    expect(config.failure).toBe('closed');
  }
  remove();
  expect(config.failure).toBe('closed');
  expect(reports).toEqual([expect.stringMatching(/^failed /), expect.stringMatching(/^failed /)]);
  write('failure: open\n');
  expect(config.failure).toBe('open');
});

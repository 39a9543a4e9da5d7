import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { scratchHome, startDaemon, until } from '../../../test/support/daemon/daemon.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { program } from '../../cli/doctor/checks/program.ts';
import { createAlerts } from '../../home/alerts.ts';
import { readConfig } from '../../home/config.ts';
import { openConfirmed } from '../../home/confirmed/confirmed.ts';
import { homePaths } from '../../home/paths.ts';
import { readProgramRecord, recordProgram } from '../../home/program-record.ts';
import { PACKAGE_ROOT } from '../../platform/package-root.ts';
import { listEvents } from '../../store/read/queries.ts';
import { forwarderPath } from '../../wire/forwarder-settings.ts';
import { createProgramWatch } from './program-watch.ts';

const log = () => {};

const parts = (paths: ReturnType<typeof homePaths>) => ({
  paths,
  config: readConfig(paths.config),
  confirmed: openConfirmed(paths),
  log,
});

/** As if another file had been there at setup. */
async function recordOther(paths: ReturnType<typeof homePaths>): Promise<string> {
  await recordProgram(paths);
  const record = readProgramRecord(paths);
  const path = `${PACKAGE_ROOT}/bin/hookline.js`;
  const files = { ...record?.files, [path]: { sha256: 'other', stamp: 'other' } };
  writeFileSync(paths.program, JSON.stringify({ ...record, files }));
  return path;
}

test('an unknown program raises an alert until a person sets it up', async () => {
  const paths = homePaths(scratchFolder());
  const path = await recordOther(paths);
  const alerts = createAlerts(log);
  const watch = createProgramWatch({ ...parts(paths), alerts });
  await watch.look();
  expect(alerts.list()).toMatchObject([
    { code: 'program-changed', level: 'problem', message: expect.stringContaining(`${path} was changed`) },
  ]);
  await recordProgram(paths);
  await watch.lookAgain();
  expect(alerts.list()).toEqual([]);
});

test('a home without a record, or the checkout that a person works on, raises no alert', async () => {
  const paths = homePaths(scratchFolder());
  const alerts = createAlerts(log);
  const { config, ...others } = parts(paths);
  await createProgramWatch({ config, ...others, alerts }).look();
  await recordOther(paths);
  await createProgramWatch({ config: { ...config, develop: PACKAGE_ROOT }, ...others, alerts }).look();
  expect(alerts.list()).toEqual([]);
});

test('a starting daemon compares the settings and records differences', async () => {
  const paths = scratchHome();
  await recordOther(paths);
  const daemon = await startDaemon(paths);
  const messages = () =>
    listEvents(daemon.home.db, { session: 'access' }).map(({ response }) => response.systemMessage);
  await until(() => messages().some((text) => text?.includes('program changed since setup')));
  await daemon.stop();
});

test('a deleted record raises an alert, now and after a restart, until a person runs setup', async () => {
  const paths = scratchHome();
  // A home that is set up has a forwarder.
  mkdirSync(dirname(forwarderPath(paths.root)), { recursive: true });
  writeFileSync(forwarderPath(paths.root), '');
  const first = await startDaemon(paths);
  await createProgramWatch(first.home).look();
  expect(first.hub.alerts.list()).toEqual([]);
  await recordProgram(paths);
  const watch = createProgramWatch(first.home);
  await watch.look();
  rmSync(paths.program);
  await watch.lookAgain();
  const gone = { code: 'program-changed', message: expect.stringContaining('program.json) is missing') };
  expect(first.hub.alerts.list()).toMatchObject([gone]);
  await first.stop();

  const next = await startDaemon(paths);
  await until(() => next.hub.alerts.list().length > 0);
  expect(next.hub.alerts.list()).toMatchObject([gone]);
  const config = readConfig(paths.config);
  expect(await program({ paths, config })).toMatchObject([{ level: 'problem', ...gone }]);
  await recordProgram(paths);
  expect(await program({ paths, config })).toMatchObject([{ level: 'ok' }]);
});

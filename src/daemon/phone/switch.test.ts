import { expect, test } from 'vitest';
import { scratchHome, startDaemon } from '../../../test/support/daemon/daemon.ts';

test('a look at the settings while it is switched on does not switch it off again', async () => {
  const { phone } = await startDaemon(scratchHome('http: {port: 0}\n'));
  // As the timer does it: the settings say so only when it listens, which takes a slow machine seconds.
  const [status] = await Promise.all([
    phone.switchOn({ address: '127.0.0.2', port: 0 }, 'maya'),
    phone.follow(),
  ]);
  expect(status.url).toMatch(/^https:\/\/127\.0\.0\.2:\d+$/);
  expect(phone.pair('maya').url).toContain(`${status.url}/pair#`);
});

test('after it could not be switched on, the settings are followed again', async () => {
  const { phone, home } = await startDaemon(
    scratchHome('http: {port: 0}\nphone: {address: 127.0.0.2, port: 0}\n'),
  );
  const { fingerprint } = phone.status() ?? {};
  await expect(phone.switchOn({ address: '192.0.2.1' }, 'maya')).rejects.toMatchObject({
    message: expect.stringContaining('currently has no address'),
    // Not a command that asks only while no address is kept.
    hint: expect.stringMatching(/^It has .+\. Choose one with `hookline open --phone --address A`\.$/),
  });
  expect(phone.status()).toMatchObject({ address: '127.0.0.2', url: expect.stringContaining('127.0.0.2') });
  // A fingerprint that was compared, or an authority that is trusted, stays valid.
  expect(phone.status()?.fingerprint).toBe(fingerprint);
  expect(home.alerts.list()).toEqual([]);
});

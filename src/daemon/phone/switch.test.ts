import { expect, test } from 'vitest';
import { scratchHome, startDaemon } from '../../../test/support/daemon/daemon.ts';

test("checking the settings while it is being switched on doesn't switch it off", async () => {
  const { phone } = await startDaemon(scratchHome('http: {port: 0}\n'));
  // Like the timer: the settings change only once it listens, which takes seconds on a slow machine.
  const [status] = await Promise.all([
    phone.switchOn({ address: '127.0.0.2', port: 0 }, 'maya'),
    phone.follow(),
  ]);
  expect(status.url).toMatch(/^https:\/\/127\.0\.0\.2:\d+$/);
  expect(phone.pair('maya').url).toContain(`${status.url}/pair#`);
});

test('follows the settings again after it failed to switch on', async () => {
  const { phone, home } = await startDaemon(
    scratchHome('http: {port: 0}\nphone: {address: 127.0.0.2, port: 0}\n'),
  );
  const { fingerprint } = phone.status() ?? {};
  await expect(phone.switchOn({ address: '192.0.2.1' }, 'maya')).rejects.toMatchObject({
    message: expect.stringContaining('currently has no address'),
    // Doesn't suggest the command without an address, which asks only if none is stored.
    hint: expect.stringMatching(/^It has .+\. Choose one with `hookline open --phone --address A`\.$/),
  });
  expect(phone.status()).toMatchObject({ address: '127.0.0.2', url: expect.stringContaining('127.0.0.2') });
  // A compared fingerprint or a trusted authority stays valid.
  expect(phone.status()?.fingerprint).toBe(fingerprint);
  expect(home.alerts.list()).toEqual([]);
});

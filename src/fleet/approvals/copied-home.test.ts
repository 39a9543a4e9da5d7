import { expect, test } from 'vitest';
import { createAlerts } from '../../home/alerts.ts';
import { watchCopiedHome } from './copied-home.ts';
import type { Messenger } from './messenger.ts';

const ID = 'a'.repeat(32);

/** Homes with one key on one server that sends each of them every message. */
function server() {
  const heard: ((from: string, body: unknown) => void)[] = [];
  let sent = 0;
  const messenger: Messenger = {
    send(_, to, body) {
      expect(to).toBe(ID);
      sent += 1;
      for (const hear of heard) hear(ID, body);
      return true;
    },
    listen: (_, __, hear) => void heard.push(hear),
    close: () => {},
  };
  const open = (root: string) => {
    const alerts = createAlerts(() => {});
    const watch = watchCopiedHome({ home: { paths: { root }, alerts }, machine: { id: ID } });
    return { ...watch, alerts: () => alerts.list().map(({ message }) => message) };
  };
  return { messenger, open, heard, sent: () => sent };
}

test('a home and its copy detect each other, with the directory', () => {
  const { messenger, open, sent } = server();
  const [first, copy] = [open('/srv/first'), open('/srv/copy')];
  first.follow(messenger);
  expect(first.copy()).toBeNull();
  copy.follow(messenger);
  expect(first.copy()).toMatch(/^\/srv\/copy on ./);
  expect(first.alerts()).toEqual([`Another home sends to the fleet as this machine: ${first.copy()}.`]);
  expect(copy.copy()).toMatch(/^\/srv\/first on ./);
  // Each announces itself twice, not endlessly.
  expect(sent()).toBe(4);
});

test("a reconnecting home, another machine, or an unrelated message isn't a copy", () => {
  const { messenger, open, heard } = server();
  const one = open('/srv/first');
  one.follow(messenger);
  one.follow(messenger);
  for (const hear of heard) {
    hear('b'.repeat(32), { nonce: 'n', host: 'h', home: '/x' });
    hear(ID, {});
  }
  expect(one.copy()).toBeNull();
  expect(one.alerts()).toEqual([]);
});

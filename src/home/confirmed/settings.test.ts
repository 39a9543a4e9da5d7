import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../config.ts';
import { noWeakerThanDefault, weakenedSettings } from './settings.ts';

const config = (text: string) => parseConfig(text, 'config.yaml');
const weakened = (before: string, after: string) => weakenedSettings(config(before), config(after));

/** A setting with a stronger and a weaker value. */
const PAIRS: readonly (readonly [string, string, string])[] = [
  ['failure: closed', 'failure: open', 'failure: closed → open'],
  ['failure: closed', '', 'failure: closed → open'],
  ['durability: power', '', 'durability: power → process'],
  ['', 'http: {hooksWithoutToken: true}', 'http.hooksWithoutToken: false → true'],
  ['', 'phone: {address: 10.0.0.1}', 'phone.address: set'],
  ['approvals: {hold: always}', '', 'approvals.hold: always → surface'],
  ['', 'approvals: {hold: never}', 'approvals.hold: surface → never'],
  ['', 'approvals: {waitSeconds: 1}', 'approvals.waitSeconds: 600 → 1'],
  ['approvals: {onExpiry: deny}', '', 'approvals.onExpiry: deny → none'],
  ['', 'phone: {cert: /x, key: /y}', 'phone.cert: set,phone.key: set'],
  ['', 'notify: {webhook: "http://127.0.0.1/x"}', 'notify.webhook: set'],
  ['', 'packs: {secrets: off}', 'packs.secrets: on → off'],
  ['', 'packs: {git: observe}', 'packs.git: on → observe'],
  ['packs: {cloud: on}', '', 'packs.cloud: on → off'],
  ['', 'packs: {calm: on}', 'packs.calm: off → on'],
  ['', 'disabledRules: [no-deploy]', 'disabledRules: no-deploy added'],
  ['', 'develop: /src/hookline', 'develop: set'],
  ['', 'access: {terminals: [x]}', 'access.terminals: x added'],
  ['', 'retention: {days: 1}', 'retention.days: all → 1'],
  ['retention: {megabytes: 9}', 'retention: {megabytes: 2}', 'retention.megabytes: 9 → 2'],
];

describe('a setting', () => {
  test.each(PAIRS)("%j → %j weakens, and the way back doesn't", (strict, loose, line) => {
    expect(weakened(strict, loose).join()).toBe(line);
    expect(weakened(loose, strict)).toEqual([]);
  });

  test('that protects nothing may change freely', () => {
    const free = 'http: {port: 1}\nmemory: {on: true}\nnotify: {desktop: true, on: []}\nphone: {port: 2}\n';
    expect(weakened('', free)).toEqual([]);
    expect(weakened(free, '')).toEqual([]);
  });

  test('shows no address, which may contain a secret', () => {
    const [line] = weakened('', 'notify: {webhook: "http://127.0.0.1/secret"}');
    expect(line).not.toContain('secret');
  });
});

const settings = fc
  .subarray(PAIRS.flatMap((pair) => pair.slice(0, 2)).filter(Boolean))
  .map((lines) => new Map(lines.map((line) => [line.split(':')[0], line])))
  .map((lines) => [...lines.values()].join('\n'));

test('no settings are weaker than themselves, and small steps never add up to a weaker one', () => {
  fc.assert(
    fc.property(settings, settings, settings, (one, other, third) => {
      expect(weakened(one, one)).toEqual([]);
      if (weakened(one, other).length === 0 && weakened(other, third).length === 0)
        expect(weakened(one, third)).toEqual([]);
    }),
  );
});

test('without a confirmed version, nothing is weaker than the default', () => {
  fc.assert(
    fc.property(settings, (text) => {
      expect(weakenedSettings(config(''), noWeakerThanDefault(config(text)))).toEqual([]);
    }),
  );
  // Stricter settings next to it stay.
  expect(noWeakerThanDefault(config('packs: {cloud: on, calm: on}'))).toMatchObject({
    packs: { cloud: 'on' },
  });
  const mixed = config('approvals: {onExpiry: deny, waitSeconds: 1}');
  expect(noWeakerThanDefault(mixed).approvals).toEqual({
    hold: 'surface',
    onExpiry: 'deny',
    waitSeconds: 600,
  });
  expect(noWeakerThanDefault(config('failure: closed\npacks: {secrets: off}\n'))).toMatchObject({
    failure: 'closed',
    packs: {},
  });
});

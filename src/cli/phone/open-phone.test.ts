import { expect, test } from 'vitest';
import { fingerprintRows, phoneLines } from './open-phone.ts';

const phone = {
  address: '192.0.2.7',
  port: 4646,
  url: 'https://192.0.2.7:4646',
  fingerprint: 'AB:CD',
  authorityFile: '/home/dev/.hookline/phone/ca.crt',
  problem: null,
};

test('the code to scan is below all text, so that a small terminal shows all of it', () => {
  const lines = phoneLines(phone, 'https://192.0.2.7:4646/pair#x', ['▀▄', '▄▀']);
  expect(lines.slice(-3)).toEqual(['https://192.0.2.7:4646/pair#x', '▀▄', '▄▀']);
  expect(lines.join('\n')).toMatch(/is a public address[\s\S]*AB:CD[\s\S]*Scan the code/);
});

test('without a code there is a link to open', () => {
  const lines = phoneLines({ ...phone, fingerprint: null, authorityFile: null }, 'https://x/pair#x', []);
  expect(lines.slice(-2)).toEqual([
    expect.stringContaining('Open this link on your phone'),
    'https://x/pair#x',
  ]);
});

test('a fingerprint that is wider than the terminal has two rows of the same length', () => {
  const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
  const [first = '', second = '', ...more] = fingerprintRows(fingerprint, 80);
  expect([first + second, first.split(':').length - 1, second.split(':').length]).toEqual([
    fingerprint,
    16,
    16,
  ]);
  expect(more).toEqual([]);
  expect(fingerprintRows(fingerprint, 100)).toEqual([fingerprint]);
});

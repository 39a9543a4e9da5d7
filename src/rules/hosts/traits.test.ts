import { describe, expect, test } from 'vitest';
import { type HostTrait, hostTraits } from './traits.ts';

const of = (url: string): readonly HostTrait[] => hostTraits(null, url);

describe('metadata services, in every spelling of their addresses', () => {
  test.each([
    'http://169.254.169.254/latest',
    'http://2852039166/',
    'http://0xA9FEA9FE/',
    'http://0xa9.0xfe.0xa9.0xfe/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[fd00:ec2::254]/latest',
    'http://169.254.170.2/v2/credentials',
    'http://100.100.100.200/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://metadata/computeMetadata/v1/',
    'http://169.254.169.254.nip.io/',
    'http://user@169.254.169.254:80/',
  ])('%s', (url) => {
    expect(of(url)).toContain('metadata');
  });

  test('a host without a full address counts too', () => {
    expect(hostTraits('169.254.169.254', null)).toEqual(['metadata']);
  });

  test.each([
    'http://10.0.0.1/',
    'http://localhost:3000',
    'https://metadata-docs.example.com',
    'http://[::1]:80/',
  ])('not %s', (url) => {
    expect(of(url)).toEqual([]);
  });
});

describe('lookalike hosts', () => {
  test.each([
    ['a letter of another script', 'https://g\u0456thub.com/x'],
    ['the same, encoded', 'https://xn--gthub-n2e.com/x'],
    ['only letters that look Latin', 'https://\u0430\u0440\u0440\u0435.com/'],
    ['a famous name before an @', 'https://github.com@example.io/x.git'],
    ['a famous name as a part of another', 'https://registry.npmjs.org.example.io/'],
    ['a character that is not seen', 'https://git\u200bhub.com/'],
    ['text that is turned around', 'https://\u202emoc.buhtig/'],
    ['an encoded dot', 'https://google.com%2eexample.io/'],
    ['full-width letters', 'https://\uff47ithub.com/'],
    ['a famous name with an accent', 'https://g\u00edthub.com/'],
    ['the same, encoded', 'https://xn--gthub-zsa.com/'],
    ['an i without its dot', 'https://g\u0131thub-login.com/'],
    ['a dot below a letter', 'https://p\u1ea1ypal.com/'],
    ['a letter of phonetics, encoded', 'https://xn--ithub-qmc.com/'],
  ])('%s', (_, url) => {
    expect(of(url)).toContain('disguised');
  });

  test.each([
    'https://github.com/a/b',
    'https://m\u00fcnchen.example/',
    'https://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/',
    'https://\u4f8b\u3048.jp/',
    'https://google.com.au/',
    'https://user:secret@example.com/',
    'https://git@github.com/a/b.git',
    'https://pypi.org/simple',
    'https://api.github.com/repos',
  ])('not %s', (url) => {
    expect(of(url)).not.toContain('disguised');
  });
});

test.each([
  'https://xn--bcher-kva.example/',
  'https://xn--mnchen-3ya.de/rathaus',
  'https://caf\u00e9.fr/',
  'https://xn--e1afmkfd.xn--p1ai/',
  'https://xn--r8jz45g.jp/',
])('a name in letters of one language is ordinary: %s', (url) => {
  expect(of(url)).toEqual([]);
});

test('a spelling that hides the host is unusual', () => {
  expect(of('https://xn--999999999.example/')).toEqual(['unusual']);
  expect(of('http://0x7f.1/')).toEqual(['unusual']);
  expect(of('http://127.0.0.1/')).toEqual([]);
});

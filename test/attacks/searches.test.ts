import { describe, expect, test } from 'vitest';
import { judged } from './judged.ts';

// An agent does not name Hookline's files: it searches where they lie, with tests that let them through, or goes
// through a pattern that matches their folder.

const roots = Array.from({ length: 9 }, (_, at) => `a${at}`).join(' ');

const SEARCHES = [
  'find / -name config.yaml -delete',
  'find ~ -name config.yaml -delete',
  "find ~ -type f -name '*.db' -delete",
  "find ~ -name '.hook*' -exec rm -r {} +",
  "find ~ -maxdepth 1 -name '.h*' -exec mv {} /tmp \\;",
  "find /home -name '*.yaml' -exec sed -i s/deny/allow/ {} +",
  "find ~ -name '*.yaml' -print0 | xargs -0 sed -i s/a/b/",
  "find ~ -name '*.yaml' | xargs rm",
  'find ~ -type f -exec chmod 000 {} +',
  'find ~ -inum 12345 -delete',
  'find / -xdev -inum 12345 -exec rm {} +',
  'cd ~ && find . -inum 12345 -delete',
  'find ~ -inum 12345 | xargs rm',
  'grep -rl deny ~ | xargs rm',
  'grep -rl deny /home | xargs sed -i s/deny/allow/',
];

const MANY_FOLDERS = [
  `find ${roots} ~/.hookline -name config.yaml -exec rm {} +`,
  `find ${roots} ~/.hookline -type f | xargs rm`,
];

const EVERYDAY = [
  'find . -name config.yaml -delete',
  'find . -inum 12345 -delete',
  'find src -inum 12345 -exec rm {} +',
  "find src -name '*.yaml' -exec sed -i s/a/b/ {} +",
  "find ~ -name '*.tmp' -delete",
  "find / -name '*.log' -mtime +30 -delete",
  'find / -maxdepth 1 -type f -exec sed -i s/a/b/ {} +',
  'grep -rl deny src | xargs sed -i s/deny/allow/',
  "find ~/.hookline -name '*.yaml'",
];

describe('with the default rules', () => {
  const decide = judged();
  test.each(SEARCHES)('asked or denied: %s', (command) => {
    expect(decide(command)).toMatch(/ask|deny/);
  });
  test.each(MANY_FOLDERS)('denied: %s', (command) => {
    expect(decide(command)).toBe('deny');
  });
  test.each(EVERYDAY)('no decision for %s', (command) => {
    expect(decide(command)).toBe('none');
  });
});

test('without self-protection they succeed, so it is what denies them', () => {
  const decide = judged({ 'self-protection': 'off', filesystem: 'off' });
  expect([...SEARCHES, ...MANY_FOLDERS].filter((command) => decide(command) !== 'none')).toEqual([]);
});

import { expect, test } from 'vitest';
import { parseConfig } from '../../../home/config.ts';
import { channels } from './channels.ts';

const found = (settings: string) => channels({ config: parseConfig(settings, 'config.yaml') });

test('warns of a topic that is easy to guess, without showing it', () => {
  const findings = found('notify: {ntfy: {topic: doras-approvals}}');
  expect(JSON.stringify(findings)).not.toContain('doras-approvals');
  expect(findings).toContainEqual({
    level: 'warning',
    code: 'ntfy-guessable',
    message: expect.stringContaining('guess your topic on ntfy.sh'),
    fix: expect.stringContaining('Remove `topic` and `replyTopic` from config.yaml'),
  });
});

test('topics that are made for a home, and homes without a channel, give nothing to warn about', () => {
  expect(found('notify: {ntfy: {}}')).toEqual([]);
  expect(found('')).toEqual([]);
});

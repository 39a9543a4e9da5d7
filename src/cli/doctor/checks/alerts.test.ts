import { expect, test } from 'vitest';
import { examined } from '../../../../test/support/doctor.ts';
import type { Alert } from '../../../model/alert.ts';
import { alerts } from './alerts.ts';

const alert = (code: string): Alert => ({
  code,
  level: 'problem',
  message: 'It broke.',
  fix: 'Fix it.',
  at: '2026-11-16T09:00:00.000Z',
});

test('a broken channel is a warning: rules apply, and approvals can be answered here', () => {
  expect(alerts(examined({ alerts: [alert('channel-ntfy'), alert('phone-not-listening')] }))).toMatchObject([
    { level: 'warning', code: 'channel-ntfy', fix: 'Fix it.' },
    { level: 'problem', code: 'phone-not-listening' },
  ]);
});

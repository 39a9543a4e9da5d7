import { expect, test, vi } from 'vitest';
import { dispatch } from './dispatch.ts';

async function errorOf(...args: string[]): Promise<string> {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    expect(await dispatch(args)).toBe(1);
    return error.mock.calls.map(([line]) => String(line)).join('\n');
  } finally {
    error.mockRestore();
  }
}

test('with --json an error is one JSON object with its code', async () => {
  const { error } = JSON.parse(await errorOf('why', '--json'));
  expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining('Missing event ID') });
  expect(error.hint).toContain('why --help');
});

test('an error is text without --json, also if another program gets that option', async () => {
  expect(await errorOf('why')).toContain('hookline: Missing event ID');
  expect(await errorOf('exec', '--', '--json')).toContain('hookline: ');
});

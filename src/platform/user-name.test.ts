import { expect, test, vi } from 'vitest';

vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  userInfo: () => {
    throw new Error('no such user');
  },
}));

const { userName, whoDecides } = await import('./user-name.ts');

test('a uid without a name has none, and is named by its number where somebody must be', () => {
  expect(userName()).toBeNull();
  expect(whoDecides()).toBe(`uid ${process.getuid?.() ?? 'unknown'}`);
});

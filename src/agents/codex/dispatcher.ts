import type { DispatcherDialect } from '../kit/dispatcher.ts';

export const dispatcher: DispatcherDialect = { sources: ['codex'] };

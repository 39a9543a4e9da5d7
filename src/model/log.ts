/** Where a running Hookline logs. */
export type Log = (
  level: 'info' | 'warning' | 'error',
  message: string,
  details?: Record<string, unknown>,
) => void;

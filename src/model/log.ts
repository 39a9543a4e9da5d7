/** Where a running Hookline writes down what happens to it. */
export type Log = (
  level: 'info' | 'warning' | 'error',
  message: string,
  details?: Record<string, unknown>,
) => void;

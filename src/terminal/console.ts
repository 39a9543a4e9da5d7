import { format } from 'node:util';
import { forTerminal } from './style.ts';

/** Makes everything that any code prints by `console` fit for a terminal. */
export function guardConsole(): void {
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    const write = console[method].bind(console);
    // One argument only: a `%` in it is then no placeholder.
    console[method] = (...values: unknown[]) => write(forTerminal(format(...values)));
  }
}

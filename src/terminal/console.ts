import { format } from 'node:util';
import { forTerminal } from './style.ts';

/** Makes all output through `console` safe for a terminal. */
export function guardConsole(): void {
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    const write = console[method].bind(console);
    // A single argument, so that a `%` in it is not a placeholder.
    console[method] = (...values: unknown[]) => write(forTerminal(format(...values)));
  }
}

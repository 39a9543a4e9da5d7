import { format } from 'node:util';
import { forTerminal } from './style.ts';

/** From here on everything that is printed by `console` is fit for a terminal, whoever prints it. */
export function guardConsole(): void {
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    const write = console[method].bind(console);
    // One argument only: a `%` in it is then no placeholder.
    console[method] = (...values: unknown[]) => write(forTerminal(format(...values)));
  }
}

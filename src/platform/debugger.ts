import { close, url } from 'node:inspector';

/**
 * With a debugger, any process of the same user can run code in this one. Node opens one on SIGUSR1 unless the signal
 * has a listener, and at startup if an option says so.
 */
export function refuseDebugger(): void {
  process.on('SIGUSR1', () => {});
  if (url() !== undefined) close();
}

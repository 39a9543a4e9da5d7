import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { redact } from '../observe/redact.ts';

export type Log = (
  level: 'info' | 'warning' | 'error',
  message: string,
  details?: Record<string, unknown>,
) => void;

/** One JSON object a line in `log/daemon.log`. */
export function openLog(folder: string): Log {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'daemon.log');
  return (level, message, details) => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, message, ...details });
    try {
      appendFileSync(path, `${redact(line)}\n`, { mode: 0o600 });
    } catch {
      // A full disk, or a home that was taken away: what goes wrong with telling must not end what is told of.
    }
  };
}

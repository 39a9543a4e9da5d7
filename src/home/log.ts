import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../model/log.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { redact } from '../redact/redact.ts';
import { visible } from '../terminal/visible.ts';

/** One JSON object per line in `log/daemon.log`. */
export function openLog(folder: string): Log {
  makeFolder(folder, 0o700);
  const path = join(folder, 'daemon.log');
  return (level, message, details) => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, message, ...details });
    try {
      // Escaped, because logs are read in terminals.
      appendFileSync(path, `${visible(redact(line))}\n`, { mode: 0o600 });
    } catch {
      // A full disk or a deleted home: a failed log write must not stop the daemon.
    }
  };
}

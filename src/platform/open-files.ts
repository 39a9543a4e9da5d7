import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a process has a file open, which is given by its real path. Only Linux shows that: elsewhere it is false. */
export function hasOpen(pid: number, file: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((one) => linkOf(join(folder, one)) === file);
  } catch {
    return false;
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

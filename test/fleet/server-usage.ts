import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a server used, over all of its processes. Null where the system does not tell. */
export interface ServerUsage {
  /** At most, at any time. */
  readonly megabytes: number | null;
  readonly processorSeconds: number | null;
  readonly diskMegabytes: number;
}

/** Adds up what the processes of one server use, which is killed and started again. */
export function watchServer(pid: () => number, folder: string) {
  let megabytes: number | null = null;
  let before = 0;
  return {
    /** Before the process is killed: later it is unknown. */
    ending() {
      megabytes = most(megabytes, peakMegabytes(pid()));
      before += processorSeconds(pid()) ?? 0;
    },
    now(): ServerUsage {
      const used = processorSeconds(pid());
      return {
        megabytes: most(megabytes, peakMegabytes(pid())),
        processorSeconds: used === null ? null : before + used,
        diskMegabytes: bytesIn(folder) / 2 ** 20,
      };
    },
  };
}

function most(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function peakMegabytes(pid: number): number | null {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readProcess(pid, 'status'))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

function processorSeconds(pid: number): number | null {
  const fields = readProcess(pid, 'stat').split(') ')[1]?.split(' ');
  // In hundredths of a second: for itself, and in the system.
  return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) / 100;
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return sum + (found?.isFile() ? found.blocks * 512 : 0);
  }, 0);
}

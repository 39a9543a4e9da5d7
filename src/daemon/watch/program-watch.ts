import { existsSync } from 'node:fs';
import type { OpenHome } from '../../home/open.ts';
import { programOf } from '../../home/program.ts';
import {
  changesText,
  programChanges,
  RECORD_GONE,
  RENEW,
  readProgramRecord,
} from '../../home/program-record.ts';
import { PROGRAM_CHANGED } from '../../model/alert.ts';
import { messageOf } from '../../model/errors.ts';
import { forwarderPath } from '../../wire/forwarder-settings.ts';

interface ProgramWatch {
  /** Compares the program with the one recorded at setup. */
  look(): Promise<void>;
  /** Checks again if there was a difference, which a person may have fixed, or if the record is gone. */
  lookAgain(): Promise<void>;
  stop(): void;
}

/** Notices if the running program isn't the one that was set up. */
export function createProgramWatch({
  paths,
  config,
  alerts,
  log,
  confirmed,
}: Pick<OpenHome, 'paths' | 'config' | 'alerts' | 'log' | 'confirmed'>): ProgramWatch {
  let told: string | null = null;
  let isStopped = false;
  const tell = (message: string | null) => {
    if (isStopped || message === told) return;
    told = message;
    alerts.clear(PROGRAM_CHANGED);
    if (message !== null) alerts.raise({ code: PROGRAM_CHANGED, level: 'problem', message, fix: RENEW });
  };
  // If no agent is set up any more, there is nothing to compare.
  const isGone = () => confirmed.hasProgram && existsSync(forwarderPath(paths.root));
  const look = async () => {
    try {
      const record = readProgramRecord(paths);
      if (record === null) return tell(isGone() ? RECORD_GONE : null);
      confirmed.noteProgram();
      const changes = await programChanges(paths, record, programOf(paths.root, config.develop));
      tell(changes.length === 0 ? null : changesText(changes));
    } catch (error) {
      if (!isStopped) log('error', `can't check the program for changes: ${messageOf(error)}`);
    }
  };
  return {
    look,
    lookAgain: async () => {
      if (told !== null || !existsSync(paths.program)) await look();
    },
    stop: () => {
      isStopped = true;
    },
  };
}

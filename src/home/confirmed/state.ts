import { existsSync } from 'node:fs';
import { readMark } from '../../store/database/application-mark.ts';
import type { HomePaths } from '../paths.ts';
import { type ConfirmedFiles, readConfirmedFiles } from './file.ts';

/** Marks the database of a home with a confirmed version, so that its loss is noticed. */
export const CONFIRMED_MARK = 0x686b6c31;

/** The confirmed version: `lost` if it is unknown by now, null before the first start. */
export type State = ConfirmedFiles | 'lost' | null;

export function readState(paths: HomePaths): State {
  const found = readConfirmedFiles(paths);
  if (found === 'forged') return 'lost';
  return found ?? (hadOne(paths) ? 'lost' : null);
}

/** If the history is gone, it can't prove that there never was one. */
function hadOne({ database, chainHead }: HomePaths): boolean {
  const mark = readMark(database);
  return mark === null ? existsSync(chainHead) : mark === CONFIRMED_MARK;
}

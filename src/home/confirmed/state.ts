import { existsSync } from 'node:fs';
import { readMark } from '../../store/database/application-mark.ts';
import type { HomePaths } from '../paths.ts';
import { type ConfirmedFiles, readConfirmedFiles } from './file.ts';

/** Marks the database of a home that has a confirmed version, so that it is noticed when that is gone. */
export const CONFIRMED_MARK = 0x686b6c31;

/** What a person has agreed to: `lost` if that is unknown by now, null before the first start. */
export type State = ConfirmedFiles | 'lost' | null;

export function readState(paths: HomePaths): State {
  const found = readConfirmedFiles(paths);
  if (found === 'forged') return 'lost';
  return found ?? (hadOne(paths) ? 'lost' : null);
}

/** A history that is gone cannot say that there was none. */
function hadOne({ database, chainHead }: HomePaths): boolean {
  const mark = readMark(database);
  return mark === null ? existsSync(chainHead) : mark === CONFIRMED_MARK;
}

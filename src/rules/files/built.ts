import { existsSync, readFileSync } from 'node:fs';
import { parseJson } from '../../model/json.ts';

/** What the build wrote; null for a file that is missing, cut off or something else. */
export function readBuilt<Data>(file: URL, isBuilt: (data: unknown) => data is Data): Data | null {
  const data = existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : null;
  return isBuilt(data) ? data : null;
}

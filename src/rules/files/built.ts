import { existsSync, readFileSync } from 'node:fs';
import { parseJson } from '../../model/json.ts';

/** Build output; null for a missing, truncated or foreign file. */
export function readBuilt<Data>(file: URL, isBuilt: (data: unknown) => data is Data): Data | null {
  const data = existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : null;
  return isBuilt(data) ? data : null;
}

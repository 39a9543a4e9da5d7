import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['src', 'test', 'web/src'];

/** The test files with properties, from the root. */
export function propertyFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name).replaceAll('\\', '/')),
  ).filter((file) =>
    /'fast-check'|\/support\/agents\/(?:contract|properties)\.ts'/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  );
}

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file of the build, also when this code runs from source, as in tests. */
function built(name: string): string {
  const beside = new URL(`./${name}`, import.meta.url);
  return fileURLToPath(existsSync(beside) ? beside : new URL(`../../../dist/${name}`, import.meta.url));
}

export const WORKER_FILE: string = built('hook-worker.js');
export const API_FILE: string = built('index.js');

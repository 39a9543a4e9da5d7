import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileKnowledge } from '../src/knowledge/compile.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Code that runs from its sources finds what the build would have put beside it. */
export default function setup(): void {
  const file = `${ROOT}src/knowledge/knowledge.json`;
  mkdirSync(`${ROOT}src/knowledge`, { recursive: true });
  // Whole or not at all: another run may be reading it.
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(compileKnowledge(`${ROOT}knowledge`)));
  renameSync(fresh, file);
}

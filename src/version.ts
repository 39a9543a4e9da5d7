import { readFileSync } from 'node:fs';

/** From package.json, which lies one folder up from the sources and from the build alike. */
export const VERSION: string = readVersion();

function readVersion(): string {
  const text: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const isManifest = typeof text === 'object' && text !== null && 'version' in text;
  return isManifest && typeof text.version === 'string' ? text.version : '0.0.0';
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes/scratch-home.js';

const FILES = [
  'package-lock.json',
  'README.md',
  'docs/rules.md',
  'src/redact/text/reader.ts',
  'CHANGELOG.md',
];

/**
 * Text as tools print it: our own sources, repeated until there are at least so many characters.
 *
 * @param {number} characters
 */
export function typicalText(characters) {
  const text = FILES.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return text.repeat(Math.ceil(characters / text.length));
}

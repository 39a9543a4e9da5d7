import { join } from 'node:path';
import { PACKAGE_ROOT } from '../platform/package-root.ts';

/** The first line of a new file, by which editors know its keys and values. */
export function editorLine(schema: 'config' | 'rules'): string {
  return `# yaml-language-server: $schema=${join(PACKAGE_ROOT, 'docs', `${schema}.schema.json`)}\n`;
}

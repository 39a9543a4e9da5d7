import { readFileSync } from 'node:fs';
import { HOME, SYSTEM_PROGRAM } from '../judged.ts';

export const AREAS = [
  'deletion',
  'exfiltration',
  'remote-code',
  'own-commands',
  'own-files',
  'own-processes',
  'own-program',
] as const;

const [PACKAGE = ''] = SYSTEM_PROGRAM.packages;
const [NODE = ''] = SYSTEM_PROGRAM.runtimes;

export const DAEMON = { pid: 4711, names: ['node'], line: `${NODE} ${PACKAGE}/dist/cli.js up`, port: 9123 };

/** Placeholders in braces; other braces belong to the shell. */
const PLACES: Readonly<Record<string, string>> = {
  '{home}': HOME,
  '{user}': '/home/dev',
  '{package}': PACKAGE,
  '{node}': NODE,
  '{pid}': String(DAEMON.pid),
  '{port}': String(DAEMON.port),
};

/** A line as it would be run: one of the files has `⏎` for the end of a line. */
export function filled(line: string): string {
  return line.replaceAll('⏎', '\n').replace(/\{\w+\}/g, (name) => PLACES[name] ?? name);
}

export function linesOf(area: string): readonly string[] {
  return read(area).split('\n').filter(Boolean);
}

/** Lines that still pass in an area, each with its reason: `area | line | reason`. */
export function passesOf(area: string): readonly { readonly line: string; readonly reason: string }[] {
  return linesOf('passes')
    .filter((text) => text.startsWith(`${area} | `))
    .map((text) => {
      const at = text.lastIndexOf(' | ');
      return { line: text.slice(area.length + 3, at), reason: text.slice(at + 3) };
    });
}

function read(name: string): string {
  return readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8');
}

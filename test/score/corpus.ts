import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import * as v from 'valibot';
import { messageOf } from '../../src/model/errors.ts';

/** Something about the arguments or the data that whoever started the program has to change. */
export class ScoreError extends Error {}

export const LABELS = ['deny', 'allow', 'everyday'] as const;
export type Label = (typeof LABELS)[number];

export interface Row {
  readonly line: number;
  readonly command: string;
  readonly label: Label;
  /** What kind of case it is; null where the row does not say. */
  readonly class: string | null;
}

export interface Corpus {
  readonly name: string;
  readonly rows: readonly Row[];
}

const text = v.nullish(v.string());
const row = v.object(
  {
    command: v.string('"command" must be a string'),
    label: v.optional(v.picklist(LABELS, `"label" must be one of ${LABELS.join(', ')}`), 'everyday'),
    class: text,
    cls: text,
    file: text,
  },
  ({ expected }) => (expected === 'Object' ? 'a row must be a JSON object' : `${expected} is missing`),
);

/** Every corpus that the arguments name: files, or folders with files that end in .jsonl. */
export function readCorpora(places: readonly string[]): readonly Corpus[] {
  return places.flatMap(filesOf).map((file) => ({ name: basename(file, '.jsonl'), rows: readRows(file) }));
}

function filesOf(place: string): readonly string[] {
  const stat = statSync(place, { throwIfNoEntry: false });
  if (!stat) throw new ScoreError(`There is no ${place}. Give a folder of *.jsonl files, or such files.`);
  if (!stat.isDirectory()) return [place];
  const names = readdirSync(place).filter((name) => name.endsWith('.jsonl'));
  if (names.length === 0) throw new ScoreError(`${place} has no file that ends in .jsonl.`);
  return names.sort().map((name) => join(place, name));
}

function readRows(file: string): readonly Row[] {
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [parseRow(line, at + 1, file)]));
  if (rows.length === 0) throw new ScoreError(`${file} has no rows.`);
  return rows;
}

function parseRow(text: string, line: number, file: string): Row {
  const parsed = v.safeParse(row, parseJson(text, `${file}:${line}`));
  if (!parsed.success) throw new ScoreError(`${file}:${line}: ${parsed.issues[0].message}.`);
  const { command, label, cls, file: origin } = parsed.output;
  return { line, command, label, class: parsed.output.class ?? cls ?? stem(origin) };
}

/** A corpus without classes was put together from files that are about one thing each. */
function stem(path: string | null | undefined): string | null {
  return path ? basename(path, extname(path)) : null;
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ScoreError(`${where}: this is not JSON (${messageOf(error)}).`);
  }
}

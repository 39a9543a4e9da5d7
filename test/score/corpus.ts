import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import * as v from 'valibot';
import { messageOf } from '../../src/model/errors.ts';

/** An error in the arguments or the data, for the user to fix. */
export class ScoreError extends Error {}

export const LABELS = ['deny', 'allow', 'everyday'] as const;
export type Label = (typeof LABELS)[number];

export interface Row {
  readonly line: number;
  readonly call: RowCall;
  /** What there is in the project when the call comes; null where the row does not say. */
  readonly scene: Scene | null;
  readonly label: Label;
  /** The way by which the call does what it does: a command line, a request, a tool; null where the row does not say. */
  readonly door: string | null;
  /** What kind of case it is; null where the row does not say. */
  readonly class: string | null;
}

/** A command line, or a call of another tool as Claude Code names it. */
export type RowCall =
  | { readonly command: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

export interface Scene {
  /** Files and what is in them, by their path from the project, from the home (`~/`) or from the root. */
  readonly before: Readonly<Record<string, string>>;
  /** Whether git would call the project clean; null where the row does not say. */
  readonly tree: 'clean' | 'dirty' | null;
}

export interface Corpus {
  readonly name: string;
  readonly rows: readonly Row[];
}

const text = v.nullish(v.string());
const row = v.object(
  {
    command: v.optional(v.string('"command" must be a string')),
    tool: v.optional(v.pipe(v.string('"tool" must be a string'), v.nonEmpty('"tool" must not be empty'))),
    input: v.optional(v.record(v.string(), v.unknown(), '"input" must be an object'), {}),
    before: v.optional(v.record(v.string(), v.string('"before" must have a text for each path'))),
    tree: v.optional(v.picklist(['clean', 'dirty'], '"tree" must be clean or dirty')),
    door: text,
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
  const { label, cls, door = null, before, tree, file: origin } = parsed.output;
  const call = callOf(parsed.output);
  if (call === null) throw new ScoreError(`${file}:${line}: give either "command" or "tool".`);
  const scene = before || tree ? { before: before ?? {}, tree: tree ?? null } : null;
  return { line, call, scene, label, door, class: parsed.output.class ?? cls ?? stem(origin) };
}

function callOf({ command, tool, input }: v.InferOutput<typeof row>): RowCall | null {
  if (tool !== undefined) return command === undefined ? { tool, input } : null;
  return command === undefined ? null : { command };
}

/** The call as people read it. */
export function textOf(call: RowCall): string {
  return 'command' in call ? call.command : `${call.tool} ${JSON.stringify(call.input)}`;
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

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { messageOf } from '../model/errors.ts';
import { parseActs, parseAnyActs } from './act-schema.ts';
import type { ProgramAct } from './acts.ts';
import { problemsOf } from './checks.ts';
import { entryFrom, variantOf } from './entry.ts';
import { parseFileLists } from './file-places.ts';
import { parseLabels } from './labels.ts';
import type { Entry, Knowledge, Programs } from './program.ts';
import { parseReasons } from './reasons.ts';
import { type OwnText, type ProgramText, program } from './schema.ts';
import { secretUsages } from './secrets.ts';
import { parseServices } from './services.ts';
import { parseVariables } from './variables.ts';
import { parseVocabulary } from './vocabulary.ts';
import { parseSynonyms } from './word-lists.ts';

/** All names of programs, each with what its file says of it. */
export function variantsIn(written: readonly Written[]): readonly { name: string; own: OwnText }[] {
  return written.flatMap(({ text }) => text.names.map((name) => ({ name, own: variantOf(text, name) })));
}

/** A program with where it is written, which is what an error names. */
export interface Written {
  readonly file: string;
  readonly text: ProgramText;
}

/** Runs when Hookline is built and when its tests start, never when it judges. */
export function compileKnowledge(folder: string): Knowledge {
  const read = (file: string) => readFileSync(join(folder, `${file}.yaml`), 'utf8');
  const written = readPrograms(folder);
  const variants = variantsIn(written);
  const ownFiles = variants.flatMap(({ own: { secrets } }) => secrets?.files ?? []);
  const programs = compile(written);
  return {
    ...programs,
    acts: { ...programs.acts, '*': parseAnyActs(read('any-program')) },
    words: parseVocabulary(read),
    services: parseServices(read('services')),
    variables: parseVariables(read('variables')),
    files: parseFileLists(read, ownFiles),
    secrets: secretUsages(variants),
    effectActs: parseActs(read('acts')),
    reasons: parseReasons(read('reasons')),
    labels: parseLabels(read('labels')),
    synonyms: parseSynonyms(read('synonyms')),
  };
}

/** Every program below a folder, in the order of its files. */
export function readPrograms(folder: string): readonly Written[] {
  const files = readdirSync(join(folder, 'programs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  return files.flatMap((file) => parsePrograms(file, readFileSync(join(folder, 'programs', file), 'utf8')));
}

/** `others.yaml` is a list; every other file is one program, or several that are the same. */
export function parsePrograms(file: string, yaml: string): readonly Written[] {
  const data: unknown = parse(yaml);
  const list = basename(file) === 'others.yaml' ? data : [data];
  if (!Array.isArray(list)) throw new Error(`${file}: this file is a list of programs`);
  const written = list.map((one): Written => {
    const parsed = v.safeParse(program, one);
    if (parsed.success) return { file, text: parsed.output };
    const [{ message, path, expected }] = parsed.issues;
    const names = typeof one === 'object' && one !== null && 'names' in one ? String(one.names) : '?';
    const key = (path ?? []).map((part) => part.key).join('.');
    throw new Error(`${file}, ${names}: ${key}: ${expected === 'never' ? 'unknown key' : message}`);
  });
  const isQuiet = written.some(({ text }) => text.examples.some((one) => Object.values(one)[0] === 'none'));
  if (!isQuiet) throw new Error(`${file}: it has no example that must stay quiet ("none")`);
  return written;
}

/** Refuses what is in two files, what is not declared, and what is never reached. */
export function compile(written: readonly Written[]): Programs {
  const entries: Entry[] = [];
  const programs: Record<string, number> = {};
  const numbers = new Map<string, number>();
  const files = new Map<string, string>();
  const servers: Record<string, string> = {};
  const acts: Record<string, readonly ProgramAct[]> = {};
  for (const { file, text } of written) {
    const strange = Object.keys(text.variants ?? {}).filter((name) => !text.names.includes(name));
    if (strange.length > 0)
      throw new Error(`${file}: ${strange.join(', ')} is a variant and not among the names`);
    for (const name of text.names) {
      if (files.has(name)) throw new Error(`${file}: ${name} is already in ${files.get(name)}`);
      files.set(name, file);
      const own = variantOf(text, name);
      if (own.acts) acts[name] = own.acts;
      const entry = entryOrProblem(`${file}, ${name}`, own);
      const key = JSON.stringify(entry);
      const number = numbers.get(key) ?? entries.push(entry) - 1;
      numbers.set(key, number);
      programs[name] = number;
      for (const word of entry.doors?.mcp.servers ?? []) {
        if (Object.hasOwn(servers, word)) throw new Error(`${file}: a server ${word} means ${servers[word]}`);
        servers[word] = name;
      }
    }
  }
  return { entries, programs, aliases: aliasesOf(written, files), servers, acts };
}

/** An error names the place. */
function entryOrProblem(place: string, text: OwnText): Entry {
  try {
    const entry = entryFrom(text);
    const [problem] = problemsOf(entry);
    if (problem !== undefined) throw new Error(problem);
    return entry;
  } catch (error) {
    throw new Error(`${place}: ${messageOf(error)}`, { cause: error });
  }
}

/** Every other name with the first of its program. One that is the name of a program would never be asked for. */
function aliasesOf(written: readonly Written[], programs: ReadonlyMap<string, string>): Knowledge['aliases'] {
  const aliases: Record<string, string> = {};
  const files = new Map(programs);
  for (const { file, text } of written)
    for (const alias of text.aliases ?? []) {
      if (files.has(alias)) throw new Error(`${file}: ${alias} is already in ${files.get(alias)}`);
      files.set(alias, file);
      aliases[alias] = text.names[0] ?? alias;
    }
  return aliases;
}

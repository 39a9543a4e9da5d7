import * as v from 'valibot';
import { doors } from './doors.ts';
import { place } from './place.ts';
import { secrets } from './secrets.ts';
import { CARRIES, CODE_IN, COVERED_AS, GIVEN, OBSERVATIONS, PURPOSES, READS_IF } from './traits.ts';
import { options, subcommands, words } from './word-lists.ts';

export const optionsOn = v.array(v.strictObject({ on: v.optional(subcommands), with: words }));

const harmless = v.union([
  v.pipe(
    words,
    v.transform((list) => [{ with: list }]),
  ),
  optionsOn,
]);

const covered = v.union([
  v.literal(true),
  v.picklist(COVERED_AS),
  v.strictObject({ on: subcommands, word: v.optional(v.number()) }),
]);

const verbs = v.pipe(
  subcommands,
  v.transform((list) => list.map((one) => one.split(' '))),
);

export const speaks = v.strictObject({
  on: v.optional(verbs),
  without: v.optional(words),
  in: v.optional(words),
  files: v.optional(words),
  words: v.optional(v.number()),
  stdin: v.optional(v.union([v.literal(true), words])),
});

export const upload = v.strictObject({
  on: v.optional(verbs),
  files: v.optional(v.picklist(['all', 'but-first', 'but-last', 'none'])),
  values: v.optional(words),
  to: v.optional(v.picklist(['address', 'host'])),
  with: v.optional(words),
});

const always = v.union([v.literal(true), v.array(v.string())]);

const onlyReads = v.strictObject({
  options: v.optional(options),
  stop: v.optional(v.literal(true)),
  operands: v.picklist(['names', 'contents', 'text', 'none']),
  skip: v.optional(v.number()),
  'skip-unless': v.optional(words),
  below: v.optional(always),
  follows: v.optional(always),
  'visible-unless': v.optional(words),
  here: v.optional(always),
  if: v.optional(v.picklist(READS_IF)),
});

const saying = {
  begins: v.optional(subcommands),
  says: v.optional(subcommands),
  except: v.optional(subcommands),
};

/** What a file says beside what the words of a program mean. */
export const traits = {
  arguments: v.optional(v.literal('unknown')),
  observes: v.optional(v.picklist(OBSERVATIONS)),
  'only-reads': v.optional(onlyReads),
  'tells-version': v.optional(v.array(v.string())),
  covered: v.optional(covered),
  paths: v.optional(
    v.union([v.literal('accounted'), v.strictObject({ on: words, 'from-top': v.literal(true) })]),
  ),
  harmless: v.optional(harmless),
  goals: v.optional(v.literal(true)),
  purpose: v.optional(
    v.union([
      v.picklist(PURPOSES),
      v.strictObject({ test: v.optional(subcommands), build: v.optional(subcommands) }),
    ]),
  ),
  secrets: v.optional(secrets),
  dumps: v.optional(v.literal('database')),
  place: v.optional(place),
  data: v.optional(v.strictObject({ ...saying, given: v.optional(v.picklist(GIVEN)) })),
  machine: v.optional(v.strictObject(saying)),
  carries: v.optional(v.array(v.picklist(CARRIES))),
  tunnels: v.optional(always),
  code: v.optional(
    v.strictObject({
      in: v.optional(v.picklist(CODE_IN)),
      found: v.optional(v.string()),
      given: v.optional(words),
      written: v.optional(always),
      console: v.optional(subcommands),
    }),
  ),
  installs: v.optional(v.picklist(['machine', 'repositories'])),
  feeds: v.optional(v.picklist(['words', 'lines'])),
  dialect: v.optional(v.literal('mysql')),
  doors: v.optional(doors),
};

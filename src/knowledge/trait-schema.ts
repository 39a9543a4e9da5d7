import * as v from 'valibot';
import { doors } from './doors.ts';
import { place } from './place.ts';
import { COVERED_AS, OBSERVATIONS, PURPOSES, READS_IF } from './traits.ts';
import { options, subcommands, words } from './words.ts';

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

export const upload = v.strictObject({
  on: v.optional(
    v.pipe(
      subcommands,
      v.transform((list) => list.map((one) => one.split(' '))),
    ),
  ),
  files: v.optional(v.picklist(['all', 'but-first', 'but-last', 'none'])),
  values: v.optional(words),
  to: v.optional(v.picklist(['address', 'host'])),
  with: v.optional(words),
});

const prints = v.union([
  v.pipe(
    v.literal('always'),
    v.transform(() => ['']),
  ),
  v.array(v.pipe(v.string(), v.nonEmpty())),
]);

const always = v.union([v.literal(true), v.array(v.string())]);

const onlyReads = v.strictObject({
  options: v.optional(options),
  stop: v.optional(v.literal(true)),
  operands: v.picklist(['names', 'contents', 'text', 'none']),
  skip: v.optional(v.number()),
  'skip-unless': v.optional(words),
  below: v.optional(always),
  follows: v.optional(v.literal(true)),
  'visible-unless': v.optional(words),
  here: v.optional(always),
  if: v.optional(v.picklist(READS_IF)),
});

/** What a file says beside what the words of a program mean. */
export const traits = {
  arguments: v.optional(v.literal('unknown')),
  observes: v.optional(v.picklist(OBSERVATIONS)),
  'only-reads': v.optional(onlyReads),
  covered: v.optional(covered),
  paths: v.optional(v.literal('accounted')),
  harmless: v.optional(harmless),
  goals: v.optional(v.literal(true)),
  purpose: v.optional(v.picklist(PURPOSES)),
  secrets: v.optional(v.strictObject({ prints })),
  dumps: v.optional(v.literal('database')),
  place: v.optional(place),
  data: v.optional(
    v.strictObject({
      begins: v.optional(subcommands),
      says: v.optional(subcommands),
      except: v.optional(subcommands),
    }),
  ),
  doors: v.optional(doors),
};

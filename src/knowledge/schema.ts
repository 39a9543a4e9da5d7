import * as v from 'valibot';
import { acts } from './act-schema.ts';
import { DOES, LOSSES, USUAL_PREVIEW } from './program.ts';
import { optionsOn, speaks, traits, upload } from './trait-schema.ts';
import { options, subcommands, words } from './word-lists.ts';

const flag = v.union([
  v.literal(true),
  v.pipe(
    v.string(),
    v.transform((text) => ({ with: [text] })),
  ),
  v.strictObject({ with: v.optional(words), without: v.optional(words) }),
]);

const conditions = {
  on: v.optional(subcommands),
  'not-on': v.optional(subcommands),
  with: v.optional(words),
  without: v.optional(words),
  standing: v.optional(words),
  args: v.optional(v.union([v.number(), v.pipe(v.string(), v.regex(/^\d+\+$/))])),
  words: v.optional(words),
  begins: v.optional(subcommands),
  says: v.optional(subcommands),
};

const effect = v.strictObject({
  ...conditions,
  does: v.optional(v.picklist(DOES)),
  run: v.optional(v.string()),
  to: v.optional(v.string()),
  except: v.optional(words),
  system: v.optional(v.string()),
  action: v.optional(v.string()),
  tree: v.optional(flag),
  force: v.optional(flag),
  append: v.optional(flag),
  below: v.optional(flag),
  global: v.optional(flag),
  sends: v.optional(flag),
  also: v.optional(v.literal(true)),
});
export type EffectText = v.InferOutput<typeof effect>;

const oneLoss = v.picklist(LOSSES);
const loss = v.strictObject({
  ...conditions,
  if: v.optional(v.string()),
  loses: v.union([
    v.array(oneLoss),
    v.pipe(
      oneLoss,
      v.transform((one) => [one]),
    ),
  ]),
});
export type LossText = v.InferOutput<typeof loss>;

const wraps = v.strictObject({
  how: v.picklist(['argv', 'shell', 'none']),
  skip: v.optional(v.number()),
  assignments: v.optional(v.literal(true)),
  script: v.optional(words),
  inert: v.optional(words),
  privilege: v.optional(v.string()),
  place: v.optional(v.picklist(['container', 'remote'])),
  cwd: v.optional(v.string()),
  functions: v.optional(v.literal(true)),
});

const preview = v.union([
  v.pipe(
    words,
    v.transform((list) => [{ with: list.join() === 'usual' ? USUAL_PREVIEW : list }]),
  ),
  optionsOn,
]);

const own = {
  versions: v.optional(v.literal(true)),
  options: v.optional(options),
  style: v.optional(v.literal('single-dash')),
  stop: v.optional(v.literal(true)),
  subcommands: v.optional(
    v.strictObject({
      words: v.optional(v.number()),
      groups: v.optional(words),
      synonyms: v.optional(v.record(v.string(), v.string())),
      abbreviated: v.optional(v.literal(true)),
      options: v.optional(v.record(v.string(), options)),
      stop: v.optional(words),
    }),
  ),
  operands: v.optional(v.picklist(['read', 'write', 'delete'])),
  skip: v.optional(v.number()),
  reads: v.optional(words),
  writes: v.optional(words),
  uses: v.optional(words),
  input: v.optional(v.literal('if-told')),
  prints: v.optional(v.union([v.literal('facts'), v.array(v.string())])),
  creates: v.optional(v.literal('empty')),
  preview: v.optional(preview),
  wraps: v.optional(wraps),
  uploads: v.optional(v.array(upload)),
  speaks: v.optional(v.array(speaks)),
  system: v.optional(v.string()),
  verbs: v.optional(v.string()),
  offline: v.optional(v.literal(true)),
  effects: v.optional(v.array(effect)),
  run: v.optional(v.string()),
  facts: v.optional(v.record(v.string(), v.union([v.string(), v.array(v.string())]))),
  losses: v.optional(v.array(loss)),
  executes: v.optional(v.strictObject({ options: words, found: v.optional(words), as: v.string() })),
  guess: v.optional(v.literal('never')),
  acts: v.optional(acts),
  ...traits,
  help: v.optional(v.literal('not-ours')),
};

/** What a file says of one program, or of several that are the same but for `variants`. */
export const program = v.strictObject({
  names: v.pipe(words, v.minLength(1)),
  /** Other names, which rules see as the first one. */
  aliases: v.optional(words),
  ...own,
  variants: v.optional(v.record(v.string(), v.strictObject(own))),
  examples: v.pipe(
    v.array(v.pipe(v.record(v.string(), v.string()), v.maxEntries(1), v.minEntries(1))),
    v.minLength(1, 'an entry without an example'),
  ),
});
export type ProgramText = v.InferOutput<typeof program>;
export type OwnText = Omit<ProgramText, 'names' | 'aliases' | 'variants' | 'examples'>;

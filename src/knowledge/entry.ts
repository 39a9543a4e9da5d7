import type { EffectEntry, Entry, LossEntry, Target } from './program.ts';
import type { EffectText, LossText, OwnText, ProgramText } from './schema.ts';
import type { OnlyReads } from './traits.ts';

/** What a file says, as it is looked up. Fields that say nothing are left out. */
export function entryFrom(text: OwnText): Entry {
  const {
    subcommands = {},
    prints,
    style,
    input,
    creates,
    'only-reads': onlyReads,
    'tells-version': tellsVersion,
    ...rest
  } = text;
  // These are looked up by themselves.
  const { acts: _, secrets, ...same } = rest;
  const { wraps, effects, losses, executes } = text;
  return trimmed({
    ...same,
    stopAfter: subcommands.stop,
    singleDash: style === 'single-dash' ? true : undefined,
    sub: subcommands.words,
    groups: subcommands.groups,
    synonyms: subcommands.abbreviated ? abbreviations(subcommands) : subcommands.synonyms,
    subOptions: subcommands.options,
    wraps: wraps && trimmed(wraps),
    about: prints === 'facts' ? true : undefined,
    aboutWith: Array.isArray(prints) ? prints : undefined,
    inputIfTold: input === 'if-told' ? true : undefined,
    empties: creates === 'empty' ? true : undefined,
    effects: effects?.map(effectFrom),
    losses: losses?.map(lossFrom),
    executes: executes && trimmed(executes),
    onlyReads: onlyReads && onlyReadsFrom(onlyReads),
    tellsVersion,
    printsSecrets: secrets?.prints,
  });
}

/** The beginning of a name stands for the name, the first that fits; what is a name of its own stays that. */
function abbreviations({ options = {}, synonyms = {} }: Subcommands): Record<string, string> {
  const verbs = Object.keys(options).flatMap((verb) =>
    [verb, ...Object.keys(synonyms).filter((name) => synonyms[name] === verb)].map(
      (name) => [name, verb] as const,
    ),
  );
  const all: Record<string, string> = {};
  for (const [name, verb] of verbs)
    for (let length = name.length - 1; length > 1; length--) all[name.slice(0, length)] ??= verb;
  return { ...all, ...Object.fromEntries(verbs) };
}

type Subcommands = NonNullable<OwnText['subcommands']>;

/** A variant replaces fields; only of subcommands and secrets it may replace a part. */
export function variantOf(text: ProgramText, name: string): OwnText {
  const { names: _, aliases: __, variants, examples: ___, ...shared } = text;
  const own = variants?.[name];
  if (own === undefined) return shared;
  return {
    ...shared,
    ...own,
    ...(shared.subcommands && { subcommands: { ...shared.subcommands, ...own.subcommands } }),
    ...(shared.secrets && { secrets: { ...shared.secrets, ...own.secrets } }),
  };
}

function onlyReadsFrom(text: NonNullable<OwnText['only-reads']>): OnlyReads {
  const { 'skip-unless': skipUnless, 'visible-unless': visibleUnless, ...rest } = text;
  return trimmed({ ...rest, skipUnless, visibleUnless });
}

function effectFrom({ 'not-on': notOn, args, to, ...rest }: EffectText): EffectEntry {
  return trimmed({ ...rest, notOn, args: argsFrom(args), to: to?.split(' + ').map(targetFrom) });
}

function lossFrom({ 'not-on': notOn, args, ...rest }: LossText): LossEntry {
  return trimmed({ ...rest, notOn, args: argsFrom(args) });
}

/** `2`, or `2+`. */
function argsFrom(args: EffectText['args']): readonly [number, number] | undefined {
  if (args === undefined) return undefined;
  return typeof args === 'number' ? [args, args] : [Number.parseInt(args, 10), MANY];
}

/** JSON has no infinity. */
const MANY = 1_000_000;

/** `operands`, `operands 2..`, `operand -1`, `value --file`, `line`, `text flush`, or a path. */
function targetFrom(text: string): Target {
  const [word = '', which] = text.split(' ');
  if (text === 'line') return { line: true };
  if (text === 'operands') return { operands: [0, MANY] };
  if (/^(?:value|text) \S+$/.test(text))
    return word === 'value' ? { value: which ?? '' } : { text: which ?? '' };
  if (/^operands \d+\.\.$/.test(text)) return { operands: [Number.parseInt(which ?? '', 10) - 1, MANY] };
  const at = /^operand -?[1-9]$/.test(text) ? Number(which) : 0;
  if (at !== 0) return { operands: at > 0 ? [at - 1, at] : [at, at === -1 ? MANY : at + 1] };
  if (/^[~/]\S*$/.test(text)) return { text };
  throw new Error(
    `to: ${text}: expected operands, operands 2.., operand 1, operand -1, value --file, line, text x, or a path`,
  );
}

type Stated<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function trimmed<T extends object>(fields: T): Stated<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Stated<T>;
}

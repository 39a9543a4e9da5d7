import type { EffectEntry, Entry, LossEntry, Target } from './program.ts';
import type { EffectText, LossText, OwnText, ProgramText } from './schema.ts';
import type { OnlyReads } from './traits.ts';

/** What a file says, as it is looked up. Fields that say nothing are left out. */
export function entryFrom(text: OwnText): Entry {
  const { subcommands = {}, prints, effects } = text;
  return trimmed({
    options: text.options,
    stop: text.stop,
    stopAfter: subcommands.stop,
    singleDash: text.style === 'single-dash' ? true : undefined,
    sub: subcommands.words,
    groups: subcommands.groups,
    synonyms: subcommands.abbreviated ? abbreviations(subcommands) : subcommands.synonyms,
    subOptions: subcommands.options,
    operands: text.operands,
    skip: text.skip,
    reads: text.reads,
    writes: text.writes,
    preview: text.preview,
    wraps: text.wraps && trimmed(text.wraps),
    uploads: text.uploads,
    uses: text.uses,
    about: prints === 'facts' ? true : undefined,
    aboutWith: Array.isArray(prints) ? prints : undefined,
    inputIfTold: text.input === 'if-told' ? true : undefined,
    empties: text.creates === 'empty' ? true : undefined,
    effects: effects?.map(effectFrom),
    system: text.system,
    verbs: text.verbs,
    offline: text.offline,
    run: text.run,
    facts: text.facts,
    losses: text.losses?.map(lossFrom),
    executes: text.executes && trimmed(text.executes),
    arguments: text.arguments,
    observes: text.observes,
    onlyReads: text['only-reads'] && onlyReadsFrom(text['only-reads']),
    versions: text.versions,
    guess: text.guess,
    covered: text.covered,
    paths: text.paths,
    harmless: text.harmless,
    goals: text.goals,
    purpose: text.purpose,
    secrets: text.secrets,
    dumps: text.dumps,
    place: text.place,
    doors: text.doors,
    data: text.data,
    help: text.help,
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

/** A variant replaces fields; only of subcommands it may replace a part. */
export function variantOf(text: ProgramText, name: string): OwnText {
  const { names: _, aliases: __, variants, examples: ___, ...shared } = text;
  const own = variants?.[name];
  if (own === undefined) return shared;
  const subcommands = { ...shared.subcommands, ...own.subcommands };
  return { ...shared, ...own, ...(Object.keys(subcommands).length > 0 && { subcommands }) };
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

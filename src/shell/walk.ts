import { LazyMap, remember } from '../platform/bounded.ts';
import {
  type AnalyseOptions,
  type Before,
  type Effect,
  type Left,
  type Origin,
  type Place,
  type SimpleCommand,
  type Stdin,
  UNKNOWN,
  type Word,
} from './analysis.ts';
import { State } from './memory/state.ts';
import { countedParents, type Earlier, Store, UNREAD } from './memory/store.ts';
import {
  hasUnknown,
  indexOfMark,
  MAX_MARKS,
  markAt,
  marksIn,
  namesMark,
  unknownOf,
  withoutUnknown,
} from './placeholders.ts';
import { pathRef } from './places/paths.ts';
import type { Node } from './syntax/nodes.ts';

/** Thrown to end a walk that costs too much; caught only in `analyse`. */
export const OVER_BUDGET: unique symbol = Symbol('over budget');

/** Two per command. */
const MAX_STEPS = 6_000;
const MAX_BYTES = 224 * 1024;
/**
 * Reading data is cheap, so long texts may be read a few times; anything that grows faster than the text is cut off.
 */
const MAX_READS = 4;
const MAX_PATHS = 64_000;
/** In paths: two patterns are compared character by character. */
const PATTERN_COST = 16;
const MAX_NESTING = 128;
/** Limit of nested parses. */
export const MAX_DEPTH = 10;
const MAX_REASONS = 20;

const TERMINAL: Stdin = { from: 'terminal', text: null, template: UNKNOWN, sources: [] };

/** What is left to read for the commands of a script that reads itself. */
export const CONSUMED: Stdin = { from: 'pipe', text: null, template: UNKNOWN, sources: [] };

/** Position of a command in the whole. */
export interface Frame {
  readonly via: readonly string[];
  readonly place: Place;
  readonly guessed: boolean;
  readonly depth: number;
  readonly stdin: Stdin;
  readonly pipeline: { readonly index: number; readonly size: number } | null;
  /** Offsets of the outermost command inside nested text; null in the caller's own text. */
  readonly span: { readonly start: number; readonly end: number } | null;
}

const NOTHING_LEFT: readonly Left[] = [];

const OUTERMOST: Frame = {
  via: [],
  place: 'local',
  guessed: false,
  depth: 0,
  stdin: TERMINAL,
  pipeline: null,
  span: null,
};

/** State of one analysis: the findings, the shell's state, and the remaining budget. */
export class Walk {
  readonly commands: SimpleCommand[] = [];
  readonly effects: Effect[] = [];
  readonly code: { readonly command: number; readonly text: string }[] = [];
  readonly why: string[] = [];
  /** Functions whose bodies are being walked, innermost last. */
  readonly calls: Node[] = [];
  readonly called: Set<string> = new Set();
  readonly store: Store;
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  /** Into the caller's text. In unbash 6.0.3 a word that ends in a backslash ends one character late. */
  readonly length: number;
  state: State;
  private readonly cwd: string | null;
  frame: Frame = OUTERMOST;
  /** The command of the caller's text whose words are being expanded. */
  at: { readonly start: number; readonly end: number } = { start: 0, end: 0 };
  partial = false;
  failed = false;
  overBudget = false;
  loops = 0;
  /** The last line typed into another terminal, which may continue. */
  typed = '';
  private readonly origins: Origin[] = [];
  private readonly marks = new LazyMap<string, number>();
  /** Patterns behind name marks. */
  readonly names: Map<string, readonly string[]> = new Map();
  private readonly nameMarks = new LazyMap<string, string>();
  /** Name marks whose name may have no directory. */
  readonly bareNames: Set<string> = new Set();
  private steps = 0;
  private bytes = 0;
  private paths = 0;
  private nesting = 0;

  constructor(length: number, options: AnalyseOptions) {
    this.length = length;
    this.env = options.env ?? {};
    this.home = options.home ?? this.env.HOME ?? '~';
    this.cwd = options.cwd ?? null;
    this.state = new State(this.cwd);
    this.store = new Store(options.before && this.earlier(options.before), (paths) => this.meet(paths));
  }

  private earlier(before: Before): Earlier {
    const marksOf = (path: string) => {
      let marks = '';
      for (const origin of before.sourcesOf(path)) marks += this.mark(origin);
      return marks;
    };
    return {
      marksOf,
      hasLinks: before.hasLinks,
      linkAt: (path) => before.linkAt(path),
      paths: () => before.paths(),
      scriptAt: (path) => {
        if (before.isAbsent(path)) return undefined;
        const origins = before.originsOf(path);
        if (origins === undefined) return movedText(before, path, (paths) => this.meet(paths));
        // Downloaded code is never read and judged harmless: it needs approval like any code from the network.
        const isFetched = origins.some(({ kind }) => kind === 'network');
        const text = isFetched ? null : before.textOf(path);
        if (text === UNKNOWN) return UNREAD;
        return text === null || hasUnknown(text) ? unknownOf(marksOf(path)) : text;
      },
    };
  }

  /** The mark of an origin; equal origins share one. */
  mark(origin: Origin): string {
    const key =
      origin.kind === 'file'
        ? `${origin.ref.path}\0${origin.ref.prefix}\0${origin.ref.ending}`
        : `${origin.kind}\0${'host' in origin ? origin.host : 'of' in origin ? origin.of : ''}`;
    let index = this.marks.get(key);
    if (index === undefined) {
      index = this.origins.length;
      // Origins beyond the limit share one mark, which stands for all.
      this.origins.push(origin);
      if (index < MAX_MARKS) this.marks.set(key, index);
    }
    return markAt(index);
  }

  /** The mark of a name that matches one of these patterns. */
  nameAmong(patterns: readonly Word[]): string {
    const base = { cwd: this.state.cwd, home: this.home, within: this.state.within, names: this.names };
    const paths = patterns.flatMap((word) => {
      const { path, among } = pathRef(word, base);
      // A pattern for folders, `*/`, leaves the slash at their names.
      return path === null ? (among ?? []) : path + (word.glob && word.template.endsWith('/') ? '/' : '');
    });
    if (paths.length === 0) return UNKNOWN;
    this.meetAll(paths);
    const mark = this.namesMarkOf([...new Set(paths)]);
    if (patterns.some(({ template }) => !template.includes('/'))) this.bareNames.add(mark);
    return mark;
  }

  /** Equal patterns share a mark, because a loop reaches them in every iteration. */
  private namesMarkOf(paths: readonly string[]): string {
    const key = paths.join('\0');
    const before = this.nameMarks.get(key);
    if (before !== undefined) return before;
    const mark = namesMark(this.names.size);
    const known = this.names.get(mark);
    this.nameMarks.set(key, mark);
    // Names beyond the limit share one mark.
    this.names.set(mark, known ? [...new Set([...known, ...paths])] : paths);
    return mark;
  }

  /** A word as text: a pattern becomes one of its matches. */
  textOf(word: Word): string {
    return word.glob ? this.nameAmong([word]) : word.template;
  }

  originsOf(marks: string): readonly Origin[] {
    const found = new Set<Origin>();
    for (const mark of marks) {
      const index = indexOfMark(mark);
      const origins = index === null ? this.origins : this.origins.slice(index, index + 1);
      for (const origin of origins) found.add(origin);
    }
    return [...found];
  }

  left(): readonly Left[] {
    if (this.store.isUntouched) return NOTHING_LEFT;
    // Files written by one command usually share their origins.
    const originsOf = remember((template: string) => this.originsOf(marksIn(template)));
    const files = this.store.written().map(([path, template]) => ({
      path,
      origins: originsOf(template),
      link: null,
      ...(withoutUnknown(template).trim() !== '' && { text: template }),
    }));
    return [...files, ...this.store.linked().map(([path, link]) => ({ path, origins: [], link }))];
  }

  step(): void {
    if (++this.steps > MAX_STEPS) throw OVER_BUDGET;
  }

  /** Text that is about to be parsed. */
  read(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > MAX_BYTES + MAX_READS * this.length) throw OVER_BUDGET;
  }

  /** Paths that a command may touch, each of which every rule checks. */
  meet(paths: number): void {
    this.paths += paths;
    if (this.paths > MAX_PATHS) throw OVER_BUDGET;
  }

  /** The same for candidate names. */
  meetAll(names: readonly string[]): void {
    for (const name of names) this.meet(/[*?[{]/.test(name) ? PATTERN_COST : 1);
  }

  enter(): void {
    if (++this.nesting > MAX_NESTING) throw OVER_BUDGET;
  }

  leave(): void {
    this.nesting--;
  }

  /** Resets to the start of the caller's text, after a walk that was cut off. */
  restart(): void {
    this.frame = OUTERMOST;
    this.state = new State(this.cwd);
    this.calls.length = 0;
    this.steps = 0;
    this.bytes = 0;
    this.paths = 0;
    this.nesting = 0;
  }

  /** More may run than was found. */
  lost(reason: string): void {
    this.partial = true;
    this.note(reason);
  }

  /** Not understood at all. */
  fail(reason: string): void {
    this.failed = true;
    this.note(reason);
  }

  /** Not read completely, though a shell would run the rest. */
  exceed(reason: string): void {
    this.overBudget = true;
    this.note(reason);
  }

  private note(reason: string): void {
    if (this.why.length < MAX_REASONS && !this.why.includes(reason)) this.why.push(reason);
  }

  /** Runs `body` with another frame. */
  within<T>(frame: Frame, body: () => T): T {
    const before = this.frame;
    this.frame = frame;
    const result = body();
    this.frame = before;
    return result;
  }

  /** Runs `body` on text with other offsets: its findings get the span of the outer command. */
  elsewhere<T>(body: () => T): T {
    const { via, place, guessed, depth, stdin, pipeline, span } = this.frame;
    return this.within({ via, place, guessed, depth, stdin, pipeline, span: span ?? this.at }, body);
  }

  /** Runs `body` as a subshell, whose variables are lost afterwards. */
  isolated<T>(state: State, body: () => T): T {
    const before = this.state;
    this.state = state;
    const result = body();
    this.state = before;
    return result;
  }
}

/** A script in a directory that was moved, copied or unpacked as a whole, if it can be read. */
function movedText(before: Before, path: string, meet: (paths: number) => void): string | undefined {
  const isMoved = countedParents(path, meet).some((folder) => {
    const origins = before.originsOf(folder);
    return origins?.every(({ kind }) => kind !== 'network') ?? false;
  });
  const text = isMoved ? before.textOf(path) : null;
  return text === null || hasUnknown(text) ? undefined : text;
}

/** The same place, with another input. */
export function withStdin(frame: Frame, stdin: Stdin): Frame {
  const { via, place, guessed, depth, pipeline, span } = frame;
  return { via, place, guessed, depth, stdin, pipeline, span };
}

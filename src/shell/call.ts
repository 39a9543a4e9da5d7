import type { How } from '../doors/phrase.ts';
import type { Caused, Certainty, Effect, EffectOf, PathRef, SimpleCommand, Word } from './analysis.ts';
import type { State } from './memory/state.ts';
import type { Content } from './memory/store.ts';
import { isGiven, isOn } from './options.ts';
import { pathRef } from './places/paths.ts';
import { promptCode } from './prompt.ts';
import type { Entry, Reentry } from './reentry.ts';
import type { Walk } from './walk.ts';
import { makeWord } from './word.ts';

type Fields<K extends Effect['kind']> = Omit<EffectOf<K>, 'kind' | keyof Caused>;

/** What is known of a write beyond its place; it is as certain as its command, where it is not said. */
interface WriteHow {
  readonly append?: boolean;
  readonly below?: boolean;
  readonly certainty?: Certainty;
  readonly truncated?: boolean;
}

/** One command under the eyes of its tool. */
export class Call {
  readonly walk: Walk;
  readonly command: SimpleCommand;
  readonly index: number;
  /** Where its paths start; a tool with an option for that changes it. */
  cwd: string | null;
  /** Reads of things that are used and not passed on: a key to log in with. */
  readonly used: Set<Effect> = new Set();
  readonly reentry: Reentry;
  private isElsewhere = false;

  constructor(walk: Walk, command: SimpleCommand, index: number, reentry: Reentry) {
    this.walk = walk;
    this.command = command;
    this.index = index;
    this.cwd = command.cwd;
    this.reentry = reentry;
  }

  get operands(): readonly Word[] {
    return this.command.operands;
  }

  get state(): State {
    return this.walk.state;
  }

  /** An unknown program that was merely assumed to run its arguments may do something else with them. */
  get certainty(): Certainty {
    return this.command.guessed ? 'likely' : 'certain';
  }

  get name(): string {
    return this.command.tool ?? '';
  }

  has(...names: string[]): boolean {
    return this.command.options.some((option) => names.includes(option.name) && isGiven(option));
  }

  on(name: string): boolean {
    return isOn(this.command.options, name);
  }

  value(...names: string[]): Word | null {
    return this.command.options.findLast((option) => names.includes(option.name))?.value ?? null;
  }

  values(...names: string[]): Word[] {
    return this.command.options.flatMap((option) =>
      names.includes(option.name) && option.value ? [option.value] : [],
    );
  }

  /** Links that the line itself has made are followed. */
  path(word: Word): PathRef {
    const ref = this.named(word);
    const path = ref.path === null ? null : this.walk.store.follow(ref.path, ref.spelled);
    return path === ref.path ? ref : { ...ref, path };
  }

  /** The path by its own name: what removes a link does not remove what it leads to. */
  private named(word: Word): PathRef {
    const { home, names } = this.walk;
    const ref = pathRef(word, { cwd: this.cwd, home, within: this.command.within, names });
    this.walk.meetAll(ref.among ?? [ref.path ?? '']);
    return ref;
  }

  /** It goes to another folder itself, and so does what it starts. */
  enter(folder: string): void {
    this.cwd = folder;
    this.isElsewhere = true;
  }

  /** A file that is read but not passed on. */
  consume(word: Word | null): void {
    const before = this.walk.effects.length;
    this.read(word);
    for (const effect of this.walk.effects.slice(before)) this.used.add(effect);
  }

  /** What a file of this name holds after the command. */
  setContent(word: Word, content: Content): void {
    const { path } = this.path(word);
    if (path !== null) this.walk.store.write(path, content, this.index, false);
  }

  /** The file that is read or written; null where none is. */
  private opened(word: Word | null): PathRef | null {
    if (word === null || word.template === '-') return null;
    const ref = this.path(word);
    if (ref.path === null) return ref;
    if (SILENT.has(ref.path)) return null;
    if (/^\/dev\/(?:tcp|udp)\//.test(ref.path))
      this.network({ host: ref.path.split('/')[3] ?? null, url: ref.path, sends: true });
    return ref;
  }

  read(word: Word | null): void {
    const file = this.opened(word);
    if (file === null) return;
    const { index: command, certainty } = this;
    this.walk.effects.push({ kind: 'read', ...asPlace(file), command, certainty });
  }

  write(word: Word | null, how: WriteHow = {}): void {
    this.writeTo(word, how);
    const { store } = this.walk;
    if (word === null || store.descriptors.size === 0) return;
    for (const opened of store.openedAs(this.named(word))) this.writeTo(makeWord(opened, word.raw), how);
  }

  private writeTo(word: Word | null, how: WriteHow): void {
    const file = this.opened(word);
    if (file === null) return;
    const { append = false, below = false, certainty = this.certainty, truncated = false } = how;
    this.walk.effects.push({
      kind: 'write',
      ...asPlace(file),
      append,
      below,
      command: this.index,
      certainty,
      ...(truncated && { truncated }),
    });
  }

  /** What is moved away is gone from where it was, with everything in it. */
  moveAway(word: Word): void {
    this.removeAs(word, { recursive: true, force: false, moved: true });
  }

  remove(word: Word, recursive: boolean, force: boolean): void {
    this.removeAs(word, { recursive, force, moved: false });
  }

  private removeAs(word: Word, how: Pick<EffectOf<'delete'>, 'recursive' | 'force' | 'moved'>): void {
    const ref = this.named(word);
    const { path, isName, raw, spelled } = ref;
    const { store } = this.walk;
    const others = path === null || how.moved ? [] : store.otherPlaces(path, /\/["']?$/.test(raw), spelled);
    this.walk.meet(others.length);
    for (const place of [path, ...others]) {
      this.walk.effects.push({
        kind: 'delete',
        ...asPlace(place === path ? ref : { ...ref, path: place }),
        ...how,
        command: this.index,
        certainty: this.certainty,
        ...(isName && { isName }),
      });
    }
  }

  /** Other rights for a file; without a mode, unknown ones. */
  permission(word: Word, mode: string | null, recursive: boolean): void {
    this.changeMode(word, { of: 'rights', mode, recursive });
  }

  /** Another owner or group. */
  changeOwner(word: Word, recursive: boolean): void {
    this.changeMode(word, { of: 'owner', mode: null, recursive });
  }

  private changeMode(word: Word, how: Pick<EffectOf<'permission'>, 'of' | 'mode' | 'recursive'>): void {
    const { index: command, certainty } = this;
    this.walk.effects.push({ kind: 'permission', ...asPlace(this.path(word)), ...how, command, certainty });
  }

  network(fields: Partial<Fields<'network'>>): void {
    const { host = null, direction = 'out', url = null, method = null, sends = false } = fields;
    this.walk.effects.push({
      kind: 'network',
      host,
      direction,
      url,
      method,
      sends,
      command: this.index,
      certainty: this.certainty,
    });
  }

  privilege(how: string, user: string | null, shell = false): void {
    const { index: command, certainty } = this;
    this.walk.effects.push({ kind: 'privilege', how, user, shell, command, certainty });
  }

  vcs(action: string, fields: Partial<Omit<Fields<'vcs'>, 'action'>>): void {
    const { force = false, remote = null, refs = [], loses = [], skipsHooks = false, discards } = fields;
    this.walk.effects.push({
      kind: 'vcs',
      action,
      force,
      remote,
      refs,
      loses,
      skipsHooks,
      ...(discards && { discards }),
      command: this.index,
      certainty: this.certainty,
    });
  }

  env(name: string, op: 'set' | 'unset' | 'read', value: string | null): void {
    this.walk.effects.push({ kind: 'env', name, op, value, command: this.index, certainty: this.certainty });
    const code = op === 'set' ? promptCode(this.walk.state, name, value) : null;
    if (code !== null) this.runText(code, { via: name });
  }

  execute(from: EffectOf<'execute'>['from'], path: string | null = null, host: string | null = null): void {
    this.walk.effects.push({
      kind: 'execute',
      interpreter: this.name,
      from,
      path,
      host,
      command: this.index,
      certainty: this.certainty,
    });
  }

  /** @param does whether something is taken away, or how else it is changed */
  resource(system: string, action: string, does: boolean | How, target: string | null): void {
    const { index: command, certainty } = this;
    const destructive = does === true || does === 'destructive';
    const effect = { kind: 'resource', system, action, destructive, target, command, certainty } as const;
    this.walk.effects.push(
      typeof does === 'boolean' || does === 'destructive' ? effect : { ...effect, how: does },
    );
  }

  system(action: string, target: string | null = null): void {
    const { index: command, certainty } = this;
    const isElsewhere = action === 'shutdown' && this.command.place !== 'local';
    this.walk.effects.push({
      kind: 'system',
      action: isElsewhere ? 'shutdown elsewhere' : action,
      target,
      command,
      certainty,
    });
  }

  packages(manager: string, action: string, names: readonly Word[], global = false): void {
    const known = names.flatMap((word) => word.text ?? []);
    this.walk.effects.push({
      kind: 'package',
      manager,
      action,
      names: known,
      global,
      command: this.index,
      certainty: this.certainty,
    });
  }

  /** A program text that it runs, in whatever language. */
  code(text: string): void {
    this.walk.code.push({ command: this.index, text });
  }

  /** Goes on with a command that stands in the arguments. */
  runArgv(words: readonly Word[], entry: Entry = {}): string {
    return this.reentry.argv(this.walk, words, this.entry(entry));
  }

  /** Goes on with a command line that stands in a string. */
  runText(template: string, entry: Entry = {}): string {
    return this.reentry.text(this.walk, template, this.entry(entry));
  }

  private entry(entry: Entry): Entry {
    const via = entry.via ?? this.command.name ?? '?';
    const cwd = this.isElsewhere && entry.cwd === undefined ? this.cwd : entry.cwd;
    return { ...entry, via, ...(cwd !== undefined && { cwd }) };
  }
}

/** What an effect says of a place. Only a deletion says more of a name. */
function asPlace({ path, prefix, ending, raw, glob, sifted, among, spelled }: PathRef): PathRef {
  const place = { path, prefix, ending, raw, glob, sifted };
  return among || spelled ? { ...place, ...(among && { among }), ...(spelled && { spelled }) } : place;
}

const SILENT: ReadonlySet<string> = new Set(
  ['null', 'stdin', 'stdout', 'stderr', 'tty'].map((name) => `/dev/${name}`),
);

/** A word made by us rather than written. */
export const literal = (text: string): Word => makeWord(text, text);

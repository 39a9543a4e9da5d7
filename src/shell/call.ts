import type {
  Assignment,
  Effect,
  EffectOf,
  Loss,
  PathRef,
  Place,
  SimpleCommand,
  Stdin,
  Word,
} from './analysis.ts';
import { pathRef } from './paths.ts';
import type { State } from './state.ts';
import type { Walk } from './walk.ts';
import { makeWord } from './word.ts';

/** How to go on inside what a command runs. */
export interface Entry {
  readonly via?: string;
  readonly place?: Place;
  readonly guessed?: boolean;
  readonly stdin?: Stdin;
  readonly cwd?: string | null;
  readonly assignments?: readonly Assignment[];
  /** Arguments of the script: `$1`, `$2`, … */
  readonly positional?: readonly string[];
  /** The same shell runs it: `eval`, `source`, `trap`. */
  readonly sameShell?: boolean;
  /** Functions of the shell are seen. */
  readonly functions?: boolean;
}

/** The way back into the walk, so that tools need not import it. */
export interface Reentry {
  argv(walk: Walk, words: readonly Word[], entry: Entry): string;
  text(walk: Walk, template: string, entry: Entry): string;
}

type Fields<K extends Effect['kind']> = Omit<EffectOf<K>, 'kind' | 'command'>;

/** One command under the eyes of its tool. */
export class Call {
  readonly walk: Walk;
  readonly command: SimpleCommand;
  readonly index: number;
  /** Where its paths start; a tool with an option for that changes it. */
  cwd: string | null;
  private readonly reentry: Reentry;

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

  get name(): string {
    return this.command.tool ?? '';
  }

  has(...names: string[]): boolean {
    return this.command.options.some((option) => names.includes(option.name));
  }

  /** On or off, the last of `--x` and `--no-x` winning. */
  on(name: string): boolean {
    const negated = `--no-${name.slice(2)}`;
    const last = this.command.options.findLast((option) => option.name === name || option.name === negated);
    return last?.name === name;
  }

  value(...names: string[]): Word | null {
    return this.command.options.findLast((option) => names.includes(option.name))?.value ?? null;
  }

  values(...names: string[]): Word[] {
    return this.command.options.flatMap((option) =>
      names.includes(option.name) && option.value ? [option.value] : [],
    );
  }

  path(word: Word): PathRef {
    return pathRef(word, { cwd: this.cwd, home: this.walk.home });
  }

  read(word: Word | null): void {
    if (word === null || word.template === '-') return;
    const { path, prefix, raw, glob } = this.path(word);
    if (path !== null && SILENT.has(path)) return;
    if (path?.startsWith('/dev/tcp/') || path?.startsWith('/dev/udp/')) this.socket(path);
    this.walk.effects.push({ kind: 'read', path, prefix, raw, glob, command: this.index });
  }

  write(word: Word | null, append = false): void {
    if (word === null || word.template === '-') return;
    const { path, prefix, raw, glob } = this.path(word);
    if (path !== null && SILENT.has(path)) return;
    if (path?.startsWith('/dev/tcp/') || path?.startsWith('/dev/udp/')) this.socket(path);
    this.walk.effects.push({ kind: 'write', path, prefix, raw, glob, append, command: this.index });
  }

  remove(word: Word, recursive: boolean, force: boolean): void {
    const { path, prefix, raw, glob } = this.path(word);
    this.walk.effects.push({
      kind: 'delete',
      path,
      prefix,
      raw,
      glob,
      recursive,
      force,
      command: this.index,
    });
  }

  permission(word: Word, mode: string | null, recursive: boolean): void {
    const { path, prefix, raw, glob } = this.path(word);
    this.walk.effects.push({
      kind: 'permission',
      path,
      prefix,
      raw,
      glob,
      mode,
      recursive,
      command: this.index,
    });
  }

  network(fields: Partial<Fields<'network'>>): void {
    const { host = null, direction = 'out', url = null, method = null, sends = false } = fields;
    this.walk.effects.push({ kind: 'network', host, direction, url, method, sends, command: this.index });
  }

  private socket(path: string): void {
    this.network({ host: path.split('/')[3] ?? null, url: path, sends: true });
  }

  privilege(how: string, user: string | null): void {
    this.walk.effects.push({ kind: 'privilege', how, user, command: this.index });
  }

  vcs(
    action: string,
    fields: {
      force?: boolean;
      remote?: string | null;
      refs?: string[];
      loses?: Loss[];
      skipsHooks?: boolean;
    },
  ): void {
    const { force = false, remote = null, refs = [], loses = [], skipsHooks = false } = fields;
    this.walk.effects.push({
      kind: 'vcs',
      action,
      force,
      remote,
      refs,
      loses,
      skipsHooks,
      command: this.index,
    });
  }

  env(name: string, op: 'set' | 'unset' | 'read', value: string | null): void {
    this.walk.effects.push({ kind: 'env', name, op, value, command: this.index });
  }

  execute(from: EffectOf<'execute'>['from'], path: string | null = null, host: string | null = null): void {
    this.walk.effects.push({
      kind: 'execute',
      interpreter: this.name,
      from,
      path,
      host,
      command: this.index,
    });
  }

  resource(system: string, action: string, destructive: boolean, target: string | null): void {
    this.walk.effects.push({ kind: 'resource', system, action, destructive, target, command: this.index });
  }

  system(action: string, target: string | null = null): void {
    this.walk.effects.push({ kind: 'system', action, target, command: this.index });
  }

  packages(manager: string, action: string, names: readonly Word[], global = false): void {
    const known = names.flatMap((word) => word.text ?? []);
    this.walk.effects.push({ kind: 'package', manager, action, names: known, global, command: this.index });
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
    return entry.via === undefined ? { ...entry, via: this.command.name ?? '?' } : entry;
  }

  /** The host that text of these commands came from; undefined when none of them reads the network. */
  fetchedBy(sources: readonly number[]): string | null | undefined {
    for (const effect of this.walk.effects) {
      if (effect.kind === 'network' && sources.includes(effect.command)) return effect.host;
    }
    return undefined;
  }
}

const SILENT: ReadonlySet<string> = new Set([
  '/dev/null',
  '/dev/stdin',
  '/dev/stdout',
  '/dev/stderr',
  '/dev/tty',
]);

/** A word made by us rather than written. */
export const literal = (text: string): Word => makeWord(text, text);

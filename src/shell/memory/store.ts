import { LazyMap } from '../../platform/bounded.ts';
import { type PathRef, UNKNOWN } from '../analysis.ts';
import { globPattern } from '../expand/pattern.ts';
import { madeOf, marksIn, withMarks } from '../placeholders.ts';

/** Content of a file that a line wrote, and the commands it comes from. */
export interface Content {
  readonly template: string;
  readonly sources: readonly number[];
  /** True if the session wrote it and it is too long to read. */
  readonly unread?: boolean;
}

/** Files of earlier lines: only their marks are known, and what a program given the file would run. */
export interface Earlier {
  /** Empty if nothing is known. */
  marksOf(path: string): string;
  readonly hasLinks: boolean;
  linkAt(path: string): string | undefined;
  scriptAt(path: string): string | undefined;
  /** All paths that are known by name. */
  paths(): Iterable<string>;
}

/** A script with unknown content, because it was not read in full. */
export const UNREAD: string = UNKNOWN + UNKNOWN;

const STREAMS = ['stdin', 'stdout', 'stderr'];
const DESCRIPTOR = /^\/(?:dev\/(?:(std(?:in|out|err))|fd\/)|proc\/[^/]+(?:\/task\/[^/]+)?\/fd\/)([^/]*)$/;

const MAX_HOPS = 8;
/** Looking up a name costs less than a path that every rule checks. */
const NAMES_PER_PATH = 64;
/**
 * Above this length, parent directories are counted: each repeats most of the path, so their cost grows quadratically.
 */
const LONG_PATH = 1_024;
const CHARS_PER_PATH = 1_024;

/** Files that earlier commands of the line left behind, which later words refer to. */
export class Store {
  private readonly files = new LazyMap<string, Content & { readonly by: number }>();
  /** Marks of everything written below a directory. */
  private readonly folders = new LazyMap<string, string>();
  private readonly links = new LazyMap<string, string>();
  /** Previous paths of what is now at or below a path. */
  private readonly moved = new LazyMap<string, Set<string>>();
  /** Target of each open descriptor, including those of single commands. */
  readonly descriptors: LazyMap<number, string> = new LazyMap();
  /** Text of a here-document behind a descriptor. */
  readonly heres: LazyMap<number, string> = new LazyMap();
  /** Above 0 in a branch or a loop: a write there may not happen, so the earlier content may remain. */
  weak = 0;
  private readonly earlier: Earlier | undefined;
  private readonly meet: (paths: number) => void;

  /** `meet` counts the paths that are searched. */
  constructor(earlier: Earlier | undefined, meet: (paths: number) => void) {
    this.earlier = earlier;
    this.meet = meet;
  }

  get(path: string): Content | undefined {
    return this.files.get(path);
  }

  /** What a program given this file would run, whether this line or an earlier one wrote it. */
  script(path: string): Content | undefined {
    const own = this.files.get(path);
    const template = own ? undefined : this.earlier?.scriptAt(path);
    return template === undefined ? own : { template, sources: [], unread: template === UNREAD };
  }

  /** True if the session wrote a file that the pattern matches. */
  hasScriptLike(pattern: string): boolean {
    const last = (path: string) => path.slice(path.lastIndexOf('/') + 1);
    const matches = globPattern(last(pattern));
    const paths = this.paths();
    return matches === null ? paths.length > 0 : paths.some((path) => matches(last(path)));
  }

  /** All paths known by name that the session wrote. */
  paths(): readonly string[] {
    const paths = [...new Set([...this.files.keys(), ...(this.earlier?.paths() ?? [])])];
    this.meet(paths.length / NAMES_PER_PATH);
    return paths;
  }

  /** True if nothing was written or linked. */
  get isUntouched(): boolean {
    return this.files.size === 0 && this.links.size === 0;
  }

  written(): readonly (readonly [path: string, template: string])[] {
    return [...this.files].map(([path, { template }]) => [path, template]);
  }

  /** Records a rename, also of a directory's contents. */
  move(from: string, to: string): void {
    const inFolder = `${to}/${from.slice(from.lastIndexOf('/') + 1)}`;
    for (const place of [inFolder, ...this.above(inFolder)]) {
      const before = this.moved.get(place);
      if (before) before.add(from);
      else this.moved.set(place, new Set([from]));
    }
  }

  /** The real path behind links, and the previous path if the line moved it. */
  otherPlaces(path: string, hasSlash: boolean, spelled?: string): readonly string[] {
    const slash = path.lastIndexOf('/');
    // With a trailing slash, a link stands for its target.
    const isFollowed = hasSlash || spelled !== undefined;
    const real = isFollowed
      ? this.follow(path, spelled)
      : `${this.follow(path.slice(0, slash))}${path.slice(slash)}`;
    return [...(slash <= 0 || real === path ? [] : [real]), ...(this.moved.get(path) ?? [])];
  }

  linked(): readonly (readonly [path: string, target: string])[] {
    return [...this.links];
  }

  isWrittenBy(path: string, command: number): boolean {
    return this.files.get(path)?.by === command;
  }

  write(path: string, content: Content, by: number, append = false): void {
    const before = append || this.weak > 0 ? (this.files.get(path) ?? this.leftAt(path)) : undefined;
    const mixed = before !== undefined && before.template !== content.template;
    this.files.set(path, {
      template: mixed ? madeOf(before.template, content.template) : content.template,
      sources: before ? [...before.sources, ...content.sources] : content.sources,
      by,
    });
    const marks = marksIn(content.template);
    if (marks !== '')
      for (const folder of this.above(path))
        this.folders.set(folder, withMarks(this.folders.get(folder) ?? '', marks));
  }

  /** What an earlier line left at a path, if its origin is known. */
  private leftAt(path: string): Content | undefined {
    const marks = this.earlier?.marksOf(path);
    return marks ? { template: marks, sources: [] } : undefined;
  }

  /** Marks of the content at a path. `exact`: the line wrote all of it. */
  contentOf(path: string): { readonly marks: string; readonly exact: boolean } {
    if (this.files.size === 0 && !this.earlier) return { marks: '', exact: false };
    const file = this.files.get(path);
    const below = this.folders.get(path) ?? '';
    if (file) return { marks: marksIn(file.template, below), exact: true };
    const earlier = this.earlier?.marksOf(path) ?? '';
    // Also checks directories that were copied or unpacked as a whole.
    const above = this.above(path).map(
      (folder) => this.files.get(folder)?.template ?? this.earlier?.marksOf(folder) ?? '',
    );
    return { marks: marksIn(below, earlier, ...above), exact: false };
  }

  link(at: string, target: string): void {
    if (at !== target) this.links.set(at, target);
  }

  /**
   * Files that are reopened through a descriptor's name. They may be reopened for writing, however they are open now.
   */
  openedAs({ path, prefix, ending }: PathRef): Iterable<string> {
    const name = path ?? (prefix === null ? '' : `${prefix}/${UNKNOWN}${ending ?? ''}`);
    const [, stream = '', number = ''] = DESCRIPTOR.exec(name) ?? [];
    const descriptor = stream === '' ? number : String(STREAMS.indexOf(stream));
    if (!/^\d+$/.test(descriptor)) return descriptor === '' ? [] : this.descriptors.values();
    const file = this.descriptors.get(Number(descriptor));
    return file === undefined ? [] : [file];
  }

  /** The path after resolving links that the line created. `spelled`: the path with its `..`. */
  follow(path: string, spelled?: string): string {
    if (this.links.size === 0 && !this.earlier?.hasLinks) return path;
    if (spelled !== undefined) return this.climb(spelled);
    let at = path;
    for (let hop = 0; hop < MAX_HOPS; hop++) {
      const next = this.behind(at);
      if (next === undefined) return at;
      at = next;
    }
    return at;
  }

  /** Resolves name by name, because `..` after a link leads to the parent of its target. */
  private climb(spelled: string): string {
    let at = '';
    for (const name of spelled.split('/')) {
      if (name === '..') at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
      else if (name !== '' && name !== '.') at = this.follow(`${at}/${name}`);
    }
    return at === '' ? '/' : at;
  }

  private behind(path: string): string | undefined {
    for (const one of [path, ...this.above(path)]) {
      const own = this.links.get(one) ?? (this.files.has(one) ? undefined : this.earlier?.linkAt(one));
      if (own !== undefined)
        return own === '/' ? path.slice(one.length) || own : own + path.slice(one.length);
    }
    return undefined;
  }

  private above(path: string): readonly string[] {
    return countedParents(path, this.meet);
  }
}

/** The parent directories of a path. Those of a long path are counted. */
export function countedParents(path: string, meet: (paths: number) => void): readonly string[] {
  const folders = parents(path);
  if (path.length > LONG_PATH) meet(folders.reduce((all, { length }) => all + length, 0) / CHARS_PER_PATH);
  return folders;
}

function parents(path: string): string[] {
  const out: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    out.push(path.slice(0, at));
  return out;
}

/** The literal directory that contains all matches of a glob. */
export function literalFolder(glob: string): string {
  const wild = glob.search(/[*?[{]/);
  return wild < 0 ? glob : glob.slice(0, glob.lastIndexOf('/', wild));
}

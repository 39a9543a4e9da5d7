import { LazyMap } from '../../platform/bounded.ts';
import { type PathRef, UNKNOWN } from '../analysis.ts';
import { globPattern } from '../expand/pattern.ts';
import { madeOf, marksIn, withMarks } from '../placeholders.ts';

/** What is in a file that a line has written, and the commands it comes from. */
export interface Content {
  readonly template: string;
  readonly sources: readonly number[];
  /** It was written by the session, and is too long to be read. */
  readonly unread?: boolean;
}

/** What earlier lines have left: of files only the marks are known, and what a program would run that is given one. */
export interface Earlier {
  /** Empty where nothing is known. */
  marksOf(path: string): string;
  readonly hasLinks: boolean;
  linkAt(path: string): string | undefined;
  scriptAt(path: string): string | undefined;
  /** All that is known by name. */
  paths(): Iterable<string>;
}

/** A script of unknown content, because it was not read in full. */
export const UNREAD: string = UNKNOWN + UNKNOWN;

const STREAMS = ['stdin', 'stdout', 'stderr'];
const DESCRIPTOR = /^\/(?:dev\/(?:(std(?:in|out|err))|fd\/)|proc\/[^/]+(?:\/task\/[^/]+)?\/fd\/)([^/]*)$/;

const MAX_HOPS = 8;
/** A look at a name costs less than a path that every rule is asked about. */
const NAMES_PER_PATH = 64;
/** Folders above a longer path are counted: each has nearly all of its text, so they grow with its square. */
const LONG_PATH = 1_024;
const CHARS_PER_PATH = 1_024;

/** The files that an earlier command of the same line has left behind: later words mean these. */
export class Store {
  private readonly files = new LazyMap<string, Content & { readonly by: number }>();
  /** Marks of all that was written below a folder. */
  private readonly folders = new LazyMap<string, string>();
  private readonly links = new LazyMap<string, string>();
  /** Where what lies at a path now, or below it, was before. */
  private readonly moved = new LazyMap<string, Set<string>>();
  /** What an open descriptor leads to, those of single commands among them. */
  readonly descriptors: LazyMap<number, string> = new LazyMap();
  /** The text of a here-document that a descriptor was given. */
  readonly heres: LazyMap<number, string> = new LazyMap();
  /** Above 0 in a branch or a loop: a write there may not happen, so the earlier content may remain. */
  weak = 0;
  private readonly earlier: Earlier | undefined;
  private readonly meet: (paths: number) => void;

  /** `meet` counts what is looked through. */
  constructor(earlier: Earlier | undefined, meet: (paths: number) => void) {
    this.earlier = earlier;
    this.meet = meet;
  }

  get(path: string): Content | undefined {
    return this.files.get(path);
  }

  /** What a program would run that is given this file: written by this line, or by one before it. */
  script(path: string): Content | undefined {
    const own = this.files.get(path);
    const template = own ? undefined : this.earlier?.scriptAt(path);
    return template === undefined ? own : { template, sources: [], unread: template === UNREAD };
  }

  /** Whether the session has written a file that a pattern comes to. */
  hasScriptLike(pattern: string): boolean {
    const last = (path: string) => path.slice(path.lastIndexOf('/') + 1);
    const matches = globPattern(last(pattern));
    const paths = this.paths();
    return matches === null ? paths.length > 0 : paths.some((path) => matches(last(path)));
  }

  /** All files that the session has written, as far as they are known by name. */
  paths(): readonly string[] {
    const paths = [...new Set([...this.files.keys(), ...(this.earlier?.paths() ?? [])])];
    this.meet(paths.length / NAMES_PER_PATH);
    return paths;
  }

  /** Nothing was written or linked. */
  get isUntouched(): boolean {
    return this.files.size === 0 && this.links.size === 0;
  }

  written(): readonly (readonly [path: string, template: string])[] {
    return [...this.files].map(([path, { template }]) => [path, template]);
  }

  /** Something is called otherwise from now on, or lies in a folder of that name. */
  move(from: string, to: string): void {
    const inFolder = `${to}/${from.slice(from.lastIndexOf('/') + 1)}`;
    for (const place of [inFolder, ...this.above(inFolder)]) {
      const before = this.moved.get(place);
      if (before) before.add(from);
      else this.moved.set(place, new Set([from]));
    }
  }

  /** Where what is called so really lies, and where it was until the same line has moved it. */
  otherPlaces(path: string, hasSlash: boolean, spelled?: string): readonly string[] {
    const slash = path.lastIndexOf('/');
    // With a slash behind it, a link is what it leads to.
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

  /** What an earlier line has left at a path, if anything is known of where that comes from. */
  private leftAt(path: string): Content | undefined {
    const marks = this.earlier?.marksOf(path);
    return marks ? { template: marks, sources: [] } : undefined;
  }

  /** Marks of what is at a path. `exact`: the line has written all of it. */
  contentOf(path: string): { readonly marks: string; readonly exact: boolean } {
    if (this.files.size === 0 && !this.earlier) return { marks: '', exact: false };
    const file = this.files.get(path);
    const below = this.folders.get(path) ?? '';
    if (file) return { marks: marksIn(file.template, below), exact: true };
    const earlier = this.earlier?.marksOf(path) ?? '';
    // Of a folder that was copied or unpacked as a whole.
    const above = this.above(path).map(
      (folder) => this.files.get(folder)?.template ?? this.earlier?.marksOf(folder) ?? '',
    );
    return { marks: marksIn(below, earlier, ...above), exact: false };
  }

  link(at: string, target: string): void {
    if (at !== target) this.links.set(at, target);
  }

  /** The files that are opened again under the name of a descriptor: for writing, too, however they are open now. */
  openedAs({ path, prefix, ending }: PathRef): Iterable<string> {
    const name = path ?? (prefix === null ? '' : `${prefix}/${UNKNOWN}${ending ?? ''}`);
    const [, stream = '', number = ''] = DESCRIPTOR.exec(name) ?? [];
    const descriptor = stream === '' ? number : String(STREAMS.indexOf(stream));
    if (!/^\d+$/.test(descriptor)) return descriptor === '' ? [] : this.descriptors.values();
    const file = this.descriptors.get(Number(descriptor));
    return file === undefined ? [] : [file];
  }

  /** The path behind the links that the line has made. `spelled`: with the `..` in it. */
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

  /** Name by name, because what is above a link is above what it leads to. */
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

/** The folders above a path, of which those of a long one are counted. */
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

/** The folder that everything lies in which a glob comes to. */
export function literalFolder(glob: string): string {
  const wild = glob.search(/[*?[{]/);
  return wild < 0 ? glob : glob.slice(0, glob.lastIndexOf('/', wild));
}

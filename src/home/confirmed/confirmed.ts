import { existsSync } from 'node:fs';
import { openScriptKeys } from '../../access/script-keys.ts';
import { entryOf } from '../../model/lookup.ts';
import type { PassedText, TextGate } from '../../rules/files/source.ts';
import { weakenedRules } from '../../rules/review/weakened.ts';
import type { MachineSigner } from '../../store/chain/chain.ts';
import { type Config, parseConfig } from '../config.ts';
import type { HomePaths } from '../paths.ts';
import { type ConfirmedFiles, writeConfirmedFiles } from './file.ts';
import { CONFIG, nameOf, pathOf } from './names.ts';
import { readOwnTexts } from './own-texts.ts';
import { noWeakerThanDefault, weakenedSettings } from './settings.ts';
import { readState, type State } from './state.ts';

/** Keeps weaker settings and rules from applying until a person agrees. */
export interface Confirmed extends TextGate {
  /** The settings that apply if the file has this text. Throws if it is unreadable. */
  config(text: string): Config;
  /** The confirmed settings, or the defaults. */
  lastConfig(): Config;
  /**
   * How a text of this file is weaker than the confirmed one, if that must wait for a person. Throws as `config`
   * does.
   */
  waiting(name: string, text: string | null): readonly string[];
  /** The files with a confirmed version. */
  names(): readonly string[];
  /** The confirmed text of this file; null if there is none. */
  textOf(name: string): string | null;
  readonly isLost: boolean;
  /** Why weaker texts apply at once here, as a sentence; null if they must be confirmed. */
  readonly atOnce: string | null;
  /** Confirms these texts for a person; null for a deleted file. */
  confirm(texts: Readonly<Record<string, string | null>>): void;
  /** Notes whether this system can tell who runs a command. */
  recognisesPeople(people: boolean): void;
  /** True if Hookline's own program was ever recorded. */
  readonly hasProgram: boolean;
  noteProgram(): void;
  /** Writes the confirmed version again if its file is missing; false if it exists. */
  restore(): boolean;
  /** Completes a scheduled write. */
  close(): void;
}

/** A process that may write the confirmed version, because it owns the home. */
interface ConfirmedWriter {
  readonly signer: MachineSigner;
  /** A weaker version applies at once, because no person can be recognized here. */
  weakened(name: string, lines: readonly string[]): void;
  failed(error: unknown): void;
  /** The operating system, for tests. */
  readonly platform?: NodeJS.Platform;
}

/** The confirmed version of a home. At the first start, a writer takes the current files. */
export function openConfirmed(paths: HomePaths, writer: ConfirmedWriter | null = null): Confirmed {
  return new ConfirmedHome(paths, writer);
}

class ConfirmedHome implements Confirmed {
  readonly #paths: HomePaths;
  readonly #writer: ConfirmedWriter | null;
  #state: State;
  #version = 0;
  #saving: NodeJS.Immediate | null = null;
  /** True only if nothing was noted before this process. */
  #isFirst = false;

  constructor(paths: HomePaths, writer: ConfirmedWriter | null) {
    this.#paths = paths;
    this.#writer = writer;
    this.#state = readState(paths);
    if (writer === null || this.isLost) return;
    const known = this.#known;
    if (known === null) {
      this.#isFirst = true;
      const files = { [CONFIG]: '', ...readOwnTexts(paths) };
      this.#save({ ...this.#empty, provisioned: hasKeys(paths), files });
    } else if (known.provisioned && !hasKeys(paths)) this.#save({ ...known, provisioned: false });
  }

  get version(): number {
    return this.#version;
  }

  get isLost(): boolean {
    return this.#state === 'lost';
  }

  get atOnce(): string | null {
    const known = this.#known;
    if (known?.provisioned)
      return 'This home had a script key before this version of Hookline first started.';
    return known?.people === false ? "This system can't identify who runs a command." : null;
  }

  names(): readonly string[] {
    return Object.keys(this.#known?.files ?? {});
  }

  paths(): readonly string[] {
    return this.names().flatMap((name) => (name === CONFIG ? [] : [pathOf(this.#paths, name)]));
  }

  textOf(name: string): string | null {
    return entryOf(this.#known?.files ?? {}, name) ?? null;
  }

  agreed(path: string): string | null {
    return this.textOf(nameOf(this.#paths, path));
  }

  check(path: string, text: string | null): PassedText {
    const name = nameOf(this.#paths, path);
    if (this.#passes(name, text)) return 'as-is';
    const before = this.textOf(name);
    return before === null ? 'tightening' : { before };
  }

  config(text: string): Config {
    const found = parseConfig(text, this.#paths.config);
    if (this.isLost) return noWeakerThanDefault(found);
    return this.#passes(CONFIG, text) ? found : this.lastConfig();
  }

  lastConfig(): Config {
    return configOrDefault(this.textOf(CONFIG) ?? '', this.#paths.config);
  }

  waiting(name: string, text: string | null): readonly string[] {
    return this.atOnce === null ? this.#weakened(name, text) : [];
  }

  confirm(texts: Readonly<Record<string, string | null>>): void {
    if (this.#state === null) return;
    const known = this.#known ?? this.#empty;
    let { files } = known;
    for (const [name, text] of Object.entries(texts)) files = withText(files, name, text);
    this.#save({ ...known, files });
    this.#version += 1;
  }

  recognisesPeople(people: boolean): void {
    const known = this.#known;
    // Removing the program later must not switch this off.
    if (known === null || known.people === people || (!people && !this.#isFirst)) return;
    this.#save({ ...known, people });
    this.#version += 1;
  }

  get hasProgram(): boolean {
    return this.#known?.program ?? false;
  }

  noteProgram(): void {
    const known = this.#known;
    if (known !== null && !known.program) this.#save({ ...known, program: true });
  }

  restore(): boolean {
    const known = this.#known;
    if (known === null || existsSync(this.#paths.confirmed)) return false;
    this.#save(known);
    return true;
  }

  close(): void {
    if (this.#saving !== null && this.#known !== null) this.#save(this.#known);
  }

  get #known(): ConfirmedFiles | null {
    return this.#state === 'lost' ? null : this.#state;
  }

  get #empty(): ConfirmedFiles {
    // On macOS this needs the native program, which the daemon looks for.
    const people = (this.#writer?.platform ?? process.platform) !== 'win32';
    return { people, provisioned: false, program: false, files: {} };
  }

  /** True if a text applies as it is. Such a text becomes the new reference. */
  #passes(name: string, text: string | null): boolean {
    if (this.#state === null) return true;
    const known = this.#known;
    if (known === null) return false;
    if (text === this.textOf(name)) return true;
    const lines = this.#weakened(name, text);
    if (lines.length > 0 && this.atOnce === null) return false;
    const next = { ...known, files: withText(known.files, name, text) };
    if (lines.length === 0) this.#saveSoon(next);
    else {
      this.#save(next);
      this.#writer?.weakened(name, lines);
    }
    return true;
  }

  #weakened(name: string, text: string | null): readonly string[] {
    const before = this.textOf(name);
    if (this.#state === null || text === before) return [];
    if (name !== CONFIG) return weakenedRules(before ?? '', text ?? '', pathOf(this.#paths, name));
    return weakenedSettings(this.lastConfig(), parseConfig(text ?? '', this.#paths.config));
  }

  /**
   * Many files may change at once, and each write waits for the disk. If the process dies, a lost change simply
   * passes the check again.
   */
  #saveSoon(files: ConfirmedFiles): void {
    this.#state = files;
    if (this.#writer === null || this.#saving !== null) return;
    this.#saving = setImmediate(() => this.close());
  }

  #save(files: ConfirmedFiles): void {
    if (this.#saving !== null) clearImmediate(this.#saving);
    this.#saving = null;
    this.#state = files;
    if (this.#writer === null) return;
    try {
      writeConfirmedFiles(this.#paths, files, this.#writer.signer);
    } catch (error) {
      this.#writer.failed(error);
    }
  }
}

function hasKeys({ scriptKeys }: HomePaths): boolean {
  return openScriptKeys(scriptKeys).list().length > 0;
}

function withText(
  files: Readonly<Record<string, string>>,
  name: string,
  text: string | null,
): Record<string, string> {
  const { [name]: _, ...others } = files;
  return text === null ? others : { ...others, [name]: text };
}

/** A version that this Hookline can't read, such as a later one, must not protect less than the default. */
function configOrDefault(text: string, path: string): Config {
  try {
    return parseConfig(text, path);
  } catch {
    return parseConfig('', path);
  }
}

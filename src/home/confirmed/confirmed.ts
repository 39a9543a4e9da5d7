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

/** Keeps a weaker version of the home's settings and rules from applying before a person agrees. */
export interface Confirmed extends TextGate {
  /** The settings that apply if the file contains this text. Throws if it can't be read. */
  config(text: string): Config;
  /** The settings that were last agreed to, or the defaults. */
  lastConfig(): Config;
  /** How a text of this file is weaker than what was agreed to, where that has to wait. Throws as `config` does. */
  waiting(name: string, text: string | null): readonly string[];
  /** The files of which something was agreed to. */
  names(): readonly string[];
  /** What was agreed to of this file; null where nothing was. */
  textOf(name: string): string | null;
  readonly isLost: boolean;
  /** Why nothing waits here, as a sentence; null where weaker texts do. */
  readonly atOnce: string | null;
  /** A person agrees to these texts; null for a file that is gone. */
  confirm(texts: Readonly<Record<string, string | null>>): void;
  /** Whether it can be told here who runs a command. */
  recognisesPeople(people: boolean): void;
  /** Whether Hookline's own program was recorded once. */
  readonly hasProgram: boolean;
  noteProgram(): void;
  /** Writes the confirmed version again where its file is gone; false where it was there. */
  restore(): boolean;
  /** Writes what was to be written soon. */
  close(): void;
}

/** A process that may write the confirmed version, because it has the home to itself. */
interface ConfirmedWriter {
  readonly signer: MachineSigner;
  /** A weaker version applies at once, because no person can be recognised here. */
  weakened(name: string, lines: readonly string[]): void;
  failed(error: unknown): void;
  /** The system that it runs on, where a test has another. */
  readonly platform?: NodeJS.Platform;
}

/** The confirmed version of a home, as it is now. One that may write it takes what there is at the first start. */
export function openConfirmed(paths: HomePaths, writer: ConfirmedWriter | null = null): Confirmed {
  return new ConfirmedHome(paths, writer);
}

class ConfirmedHome implements Confirmed {
  readonly #paths: HomePaths;
  readonly #writer: ConfirmedWriter | null;
  #state: State;
  #version = 0;
  #saving: NodeJS.Immediate | null = null;
  /** Nothing was noted before this process. */
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
    // A program that is taken away later must not switch this off.
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
    // On macOS it takes the native program, for which the daemon looks.
    const people = (this.#writer?.platform ?? process.platform) !== 'win32';
    return { people, provisioned: false, program: false, files: {} };
  }

  /** Whether a text applies as it is. One that does is what the next is compared with. */
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

  /** Many files may change at once, and each write waits for the disk. What is lost with the process passes again. */
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

/** A version that this one cannot read, such as one of a later Hookline, is no reason to protect less than by default. */
function configOrDefault(text: string, path: string): Config {
  try {
    return parseConfig(text, path);
  } catch {
    return parseConfig('', path);
  }
}

import { isStandIn, JUDGED } from '../names/judge.ts';
import { SPACE } from '../text/characters.ts';
import { type Findings, REDACTED } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';

const SHORTEST = 3;
const LONGEST = 512;
/** In one group. */
const MOST = 8;
const DASH = 45;
const OPEN = 40;
const OPEN_BRACE = 123;

/** Text that a line echoes, which is a secret if it is piped into a program that reads one. */
export class Echoed {
  private readonly reader: Reader;
  private readonly found: Findings;
  /** Behind the `echo`, and where it was piped on. */
  private start = -1;
  private piped = -1;
  /** End of the quoted echoed text. */
  private until = -1;
  /** `(echo a; echo b) | …`: starts and ends of earlier echoed texts. */
  private group: number[] | null = null;

  constructor(reader: Reader, found: Findings) {
    this.reader = reader;
    this.found = found;
  }

  get isNone(): boolean {
    return this.start < 0 && this.piped < 0 && this.group === null;
  }

  /** For the word `echo` between the first and the last place, and the place behind its options. */
  begin(word: number, behindOptions: number, end: number): void {
    const { reader } = this;
    this.start = end;
    this.piped = -1;
    const open = reader.openAt(reader.skipBlank(behindOptions), false);
    this.until = open < 0 ? end : reader.quotedEnd(open, reader.quote, reader.level, JUDGED);
    const before = reader.code((reader.bits(word - 1) & SPACE) !== 0 ? word - 2 : word - 1);
    if (before === OPEN || before === OPEN_BRACE) this.group = [];
  }

  pipe(at: number): void {
    if (this.start >= 0 && this.piped < 0) this.piped = at;
  }

  /** True if the position is in echoed text. */
  has(at: number): boolean {
    return this.start >= 0 && at < this.until;
  }

  /** At a semicolon: true if more is echoed into the same pipe. */
  goesOn(at: number): boolean {
    if (this.group === null || this.piped >= 0) return false;
    if (this.group.length < 2 * MOST) this.group.push(this.start, at);
    return true;
  }

  end(): void {
    this.start = -1;
    this.piped = -1;
    this.group = null;
  }

  /** The echoed text goes into a program that reads its secret from the input. */
  hide(): void {
    const { start, piped, group } = this;
    if (start < 0 || piped < 0) return;
    for (let at = 0; at < (group?.length ?? 0); at += 2)
      this.hideOne(group?.[at] ?? -1, group?.[at + 1] ?? -1);
    this.start = -1;
    this.hideOne(start, piped);
  }

  private hideOne(echo: number, pipe: number): void {
    const { reader } = this;
    if (echo < 0 || pipe - echo > LONGEST) return;
    let start = reader.skipBlank(echo);
    while (reader.code(start) === DASH) start = reader.skipBlank(reader.until(start, SPACE));
    let end = pipe;
    while (end > start && (reader.bits(end - 1) & SPACE) !== 0) end--;
    const said = reader.slice(start, end);
    if (
      end - start < SHORTEST ||
      isStandIn(said.replace(/^\\*["']/, '')) ||
      (reader.isJson && /(?<!\\)"/.test(said))
    )
      return;
    this.found.add(start, end, REDACTED);
  }
}

const FREE_JUDGEMENTS = 1_000;
const CHARACTERS_PER_JUDGEMENT = 192;
/** A value that was not judged is taken out, which takes more time than a name without one. */
const WEIGHT_OF_UNJUDGED = 3;
const FREE_VISITS = 3_000;
const CHARACTERS_PER_VISIT = 20;
const FREE_TRIES = 2_000;
const CHARACTERS_PER_TRY = 16;

/**
 * How much may be looked at in a text of some length. All are far more than the densest text has that anyone wrote:
 * what has more is hidden with less of a look, so that no text takes long.
 */
export class Limits {
  /** How many characters were looked at. */
  steps = 0;
  private judgements = 0;
  private visits = 0;
  private tries = 0;
  private readonly mostJudgements: number;
  private readonly mostVisits: number;

  constructor(length: number) {
    this.mostJudgements = FREE_JUDGEMENTS + Math.floor(length / CHARACTERS_PER_JUDGEMENT);
    this.mostVisits = FREE_VISITS + Math.floor(length / CHARACTERS_PER_VISIT);
  }

  /**
   * Whether there is time to find out what a value is. A text with more names than any that was written by people is
   * not worth it: from then on every value is taken for a secret.
   */
  mayJudge(): boolean {
    this.judgements += 1;
    if (this.hasJudgement) return true;
    this.visits += WEIGHT_OF_UNJUDGED;
    return false;
  }

  /** Whether some value may still be judged. */
  get hasJudgement(): boolean {
    return this.judgements <= this.mostJudgements;
  }

  /**
   * Whether there is time to look at a name, a URL or an option at all. Where every other word is one, the lines
   * around it are taken for secrets.
   */
  mayVisit(weight: number): boolean {
    this.visits += weight;
    return !this.isFlooded;
  }

  get isFlooded(): boolean {
    return this.visits > this.mostVisits;
  }

  /**
   * Whether there is time to compare with one more form, after those up to here. A text in which every other word begins
   * like a secret is generated, and the lines around it are taken for secrets.
   */
  mayTry(at: number): boolean {
    this.tries += 1;
    return this.tries <= FREE_TRIES + at / CHARACTERS_PER_TRY;
  }
}

import { oneLine } from '../../model/text.ts';

/** What was settled, in the words that people and agents use for it. */
const SETTLED =
  /\b(?:decided|decision|agreed|chose|chosen|settled on|from now on|instead of|rather than|we (?:now )?use|always use|never use|must not)\b/i;
/** What is left to do. */
const LEFT =
  /\b(?:todo|to do|not yet|still (?:fails?|failing|open|missing|needs?|to)|remaining|remains|left to|next steps?|follow[- ]up|unfinished|incomplete|couldn't|could not|unable to|did not manage|blocked|waiting for|needs? (?:a |to be )?(?:decision|review|rotat\w+))\b/i;

const MOST = 240;

export function settledIn(text: string): readonly string[] {
  return sentencesOf(text).filter((sentence) => SETTLED.test(sentence));
}

export function leftIn(text: string): readonly string[] {
  return sentencesOf(text).filter((sentence) => LEFT.test(sentence));
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+(?=\S)|\n+/)
    .map((sentence) => oneLine(sentence.replace(/^[\s>#*-]+/, ''), MOST))
    .filter((sentence) => sentence.length > 8);
}

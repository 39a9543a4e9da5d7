import type { Why } from './rank.ts';
import type { Field } from './turn-document.ts';

const PARTS: Readonly<Record<Field, string>> = {
  prompt: 'prompt',
  outcome: 'outcome',
  files: 'files',
  commands: 'commands',
  talk: 'messages',
  parts: 'names',
};

/** Why a turn was found, in one line: `matches auth, bug; similar words for timeout in prompt; without retry`. */
export function whyLine({ found, similar, missing, in: fields }: Why): string {
  const place = fields.length === 0 ? '' : ` in ${fields.map((field) => PARTS[field]).join(', ')}`;
  const parts = [
    ...(found.length > 0 ? [`matches ${found.join(', ')}`] : []),
    ...(similar.length > 0 ? [`similar words for ${similar.join(', ')}`] : []),
  ];
  const without = missing.length > 0 ? `; without ${missing.join(', ')}` : '';
  return `${parts.join('; ')}${place}${without}`;
}

import { defineCommand, usage } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import { columns } from '../output/columns.ts';
import { PARTS } from '../summaries.ts';

const parts = PARTS.history ?? [];

export default defineCommand({
  name: 'history',
  summary: 'Count what is recorded, write it out, delete parts of it, and let agents look things up in it.',
  words: `[${parts.join('|')}]`,
  options: {},
  examples: [
    ['hookline history export --since 30d > history.jsonl', 'as JSON Lines'],
    ['hookline history verify', 'was anything changed or removed?'],
    ['hookline history recover', 'what can be read of a damaged database'],
    ['hookline history forget 3f2a', 'one session, permanently'],
    ['hookline history prune', 'what `retention` in config.yaml wants gone'],
  ],
  async run(_, [what]) {
    if (what !== undefined) throw usage('history', `"${what}" is none of ${parts.join(', ')}.`);
    console.log(columns(parts.map((part) => [`hookline history ${part}`, COMMANDS[part]?.[0]])).join('\n'));
    return 0;
  },
});

import { defineCommand, unknownWord } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import { columns } from '../output/columns.ts';
import { PARTS } from '../summaries.ts';

const parts = PARTS.history ?? [];

export default defineCommand({
  name: 'history',
  summary: 'Export, verify, prune and delete history, and serve it to agents.',
  words: `[${parts.join('|')}]`,
  options: {},
  examples: [
    ['hookline history export --since 30d > history.jsonl', 'as JSON Lines'],
    ['hookline history verify', 'check for tampering'],
    ['hookline history recover', 'recover data from a damaged database'],
    ['hookline history forget 3f2a', 'delete one session permanently'],
    ['hookline history prune', 'delete history beyond `retention` in config.yaml'],
  ],
  async run(_, [what]) {
    if (what !== undefined) throw unknownWord('history', what, parts);
    console.log(columns(parts.map((part) => [`hookline history ${part}`, COMMANDS[part]?.[0]])).join('\n'));
    return 0;
  },
});

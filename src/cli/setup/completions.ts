import { AGENTS } from '../../agents/_registry.ts';
import { entryOf } from '../../model/lookup.ts';
import { defineCommand, usage } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import { COMPLETED_SHELLS, completed } from '../completions.ts';

export default defineCommand({
  name: 'completions',
  summary: 'Print a shell completion script.',
  words: `<${Object.keys(COMPLETED_SHELLS).join('|')}>`,
  options: {},
  examples: [
    ['hookline completions bash >> ~/.bashrc', 'bash'],
    ['hookline completions zsh > ~/.zfunc/_hookline', 'zsh, with ~/.zfunc in fpath'],
    ['hookline completions fish > ~/.config/fish/completions/hookline.fish', 'fish'],
  ],
  async run(_, [shell]) {
    const write = shell === undefined ? undefined : entryOf(COMPLETED_SHELLS, shell);
    if (!write)
      throw usage('completions', `Missing shell. Use one of: ${Object.keys(COMPLETED_SHELLS).join(', ')}.`);
    const agents = [...AGENTS.keys()];
    const commands = await Promise.all(
      Object.entries(COMMANDS).map(async ([name, [summary, load]]) =>
        completed(name, summary, (await load()).default, agents),
      ),
    );
    process.stdout.write(write(commands));
    return 0;
  },
});

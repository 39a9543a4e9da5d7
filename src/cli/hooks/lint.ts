import { existsSync } from 'node:fs';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { counted } from '../../model/text.ts';
import { agentNamed, setupContext } from '../agents/context.ts';
import { defineCommand, flag, value } from '../command.ts';
import { paint } from '../output/paint.ts';
import { lintAllSettings, lintPaths } from './lint-files.ts';

export default defineCommand({
  name: 'lint',
  summary:
    'Find outdated hook scripts and settings, with fixes. Checks your settings and their scripts, or the files you name.',
  words: '[file…]',
  options: {
    dialect: value('AGENT', 'Agent the files are for (default: detected).'),
    json: flag('One JSON object per line.'),
  },
  examples: [
    ['hookline lint', 'all settings and their scripts'],
    ['hookline lint hooks/ docs/hooks.md', 'files, directories and code in documents'],
  ],
  async run({ dialect, json }, files) {
    const agent = dialect === undefined ? undefined : agentNamed(dialect, 'lint');
    const missing = files.find((file) => !existsSync(file));
    if (missing !== undefined) throw new HooklineError('NOT_FOUND', `File not found: ${missing}.`);
    const context = setupContext(homePaths(), 'user');
    const found = files.length > 0 ? lintPaths(files, agent, context) : lintAllSettings(context);
    for (const one of found) {
      if (json) console.log(JSON.stringify(one));
      else {
        console.log(
          `${paint.yellow(one.code)} ${one.file}:${one.line} ${paint.dim(one.agent)}\n  ${one.message}`,
        );
        console.log(paint.dim(`  ${one.fix}`));
      }
    }
    if (!json)
      console.log(
        found.length === 0
          ? `${paint.green('✓')} No outdated hooks found.`
          : `${counted(found.length, 'finding')}.`,
      );
    return found.length === 0 ? 0 : 1;
  },
});

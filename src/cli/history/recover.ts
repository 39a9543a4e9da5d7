import { resolve } from 'node:path';
import { recoverHistory } from '../../client/recover-history.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import { counted } from '../../model/text.ts';
import type { Recovered } from '../../store/repair/recover.ts';
import { listSetAside } from '../../store/repair/set-aside.ts';
import { defineCommand, flag } from '../command.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'recover',
  summary: 'Recover data from a damaged database that was moved aside.',
  words: '[file]',
  options: { json: flag('As one JSON object.') },
  examples: [
    ['hookline history recover', 'all damaged databases'],
    ['hookline history recover backup/hookline.db', 'what is missing in the history, from a copy'],
  ],
  asScript: true,
  async run({ json }, [file]) {
    const paths = homePaths();
    const results: Record<string, Recovered> = {};
    for (const path of filesToRead(paths, file)) {
      if (!json) console.error(paint.dim(`Reading ${path} …`));
      const result = await recoverHistory(paths, path);
      results[path] = result;
      if (!json) console.log(lines(result).join('\n'));
    }
    if (json) console.log(JSON.stringify(results));
    else if (Object.keys(results).length === 0) console.log('No damaged database found.');
    return 0;
  },
});

function filesToRead({ database }: HomePaths, file: string | undefined): readonly string[] {
  return file === undefined ? listSetAside(database) : [resolve(file)];
}

function lines({ recovered, again, known, damaged, foreign }: Recovered): readonly string[] {
  return [
    `${paint.green(counted(recovered + again, 'record'))} recovered, ${known} already there.`,
    ...(again > 0
      ? [`  ${again} of them were added at the end: the earlier part of the audit chain is unreadable.`]
      : []),
    ...(damaged > 0 ? [paint.yellow(`  ${counted(damaged, 'record')} rejected: hash check failed.`)] : []),
    ...(foreign > 0
      ? [paint.yellow(`  ${counted(foreign, 'record')} left out: deleted since, or from another history.`)]
      : []),
  ];
}

import { endAwayMode } from '../../client/away.ts';
import { connectOrStart } from '../../client/client.ts';
import { homePaths } from '../../home/paths.ts';
import { awayLines } from '../output/away-lines.ts';

/** Turns off away mode and prints what happened, also if it already ended by itself. */
export async function endAway(json: boolean): Promise<number> {
  const { client } = await connectOrStart(homePaths());
  const { wasAway, summary } = await endAwayMode(client);
  if (json) {
    console.log(JSON.stringify({ wasAway, summary }));
    return 0;
  }
  console.log(wasAway ? 'Welcome back.' : 'Away mode was not on.');
  const title = wasAway ? 'While you were away' : 'The last time you were away';
  if (summary) console.log(['', ...awayLines(summary, title)].join('\n'));
  return 0;
}

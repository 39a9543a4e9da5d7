import { connectOrStart } from '../../client/client.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { folded } from '../../terminal/fold.ts';
import { loginLink, openInBrowser } from '../browser.ts';
import { defineCommand } from '../command.ts';
import { paint } from '../paint.ts';

export default defineCommand({
  name: 'open',
  summary: 'Open the dashboard. Gives a link that lets one browser in, once, within a minute.',
  options: {
    print: { type: 'boolean', description: 'Only print the link.' },
    json: { type: 'boolean', description: 'Only print it, as {"url": …}.' },
  },
  examples: [
    ['hookline open', 'in the browser of this desktop'],
    ['hookline open --print', 'to paste it into another browser of this machine'],
  ],
  asScript: true,
  async run({ print, json }) {
    const { client } = await connectOrStart(homePaths(homeFolder()));
    const url = await loginLink(client);
    if (json) {
      console.log(JSON.stringify({ url }));
      return 0;
    }
    const opened = !print && (await openInBrowser(url));
    console.log(
      opened
        ? `Opened ${paint.bold(client.info.http)}. If nothing came up, use this link:`
        : 'Open this link:',
    );
    console.log(url);
    console.log(
      paint.dim(
        folded('It works once, for a minute. While the page is open, agents wait there for your answers.'),
      ),
    );
    return 0;
  },
});

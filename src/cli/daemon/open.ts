import { connectOrStart } from '../../client/client.ts';
import { homePaths } from '../../home/paths.ts';
import { folded } from '../../terminal/fold.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import { loginLink, openInBrowser } from '../output/browser.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'open',
  summary:
    'Open the dashboard. Gives a link that lets one browser in, once, within a minute. With --phone: lets a phone in, which stays until you revoke it.',
  options: {
    print: flag('Only print the link.'),
    phone: flag('Listen for other devices too, and pair one by a QR code.'),
    address: value('A', 'With --phone: the address of this machine to listen on; asks otherwise.'),
    port: value('N', 'With --phone: the port (8766).'),
    name: value('HOST', 'With --phone: a name that leads to the address.'),
    'every-address': flag('With --phone: agree to --address 0.0.0.0 or ::, which every network can reach.'),
    off: flag('With --phone: stop listening for other devices.'),
    json: flag('Only print it, as {"url": …}.'),
  },
  examples: [
    ['hookline open', 'in the browser of this desktop'],
    ['hookline open --print', 'to paste it into another browser of this machine'],
    ['hookline open --phone --address 192.168.1.20', 'answer from a phone in the same network'],
    ['hookline open --phone --off', 'this machine only, again'],
  ],
  asScript: true,
  access: ({ phone }) => (phone ? 'devices' : null),
  async run({ print, phone, ...options }) {
    const { json } = options;
    const paths = homePaths();
    if (phone) {
      const { openPhone } = await import('../phone/open-phone.ts');
      return openPhone(paths, options);
    }
    const stray = ['address', 'port', 'name', 'every-address', 'off'].find((key) =>
      Object.hasOwn(options, key),
    );
    if (stray !== undefined) throw usage('open', `--${stray} goes with --phone.`);
    const { client } = await connectOrStart(paths);
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

import { connectOrStart } from '../../client/client.ts';
import { homePaths } from '../../home/paths.ts';
import { folded } from '../../terminal/fold.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import { loginLink, openInBrowser } from '../output/browser.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'open',
  summary:
    'Open the dashboard with a one-time link that is valid for a minute. With --phone, pair a phone until you revoke it.',
  options: {
    print: flag('Only print the link.'),
    phone: flag('Listen for other devices too, and pair one with a QR code.'),
    address: value('A', 'With --phone: the address of this machine to listen on (default: asks).'),
    port: value('N', 'With --phone: the port (default: 8766).'),
    name: value('HOST', 'With --phone: a host name for the address.'),
    'every-address': flag('With --phone: allow 0.0.0.0 or ::, which listens on every network.'),
    off: flag('With --phone: stop listening for other devices.'),
    json: flag('Only print the link, as {"url": …}.'),
  },
  examples: [
    ['hookline open', 'in the default browser'],
    ['hookline open --print', 'for another browser on this machine'],
    ['hookline open --phone --address 192.168.1.20', 'answer from a phone in the same network'],
    ['hookline open --phone --off', 'stop listening for other devices'],
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
    if (stray !== undefined) throw usage('open', `--${stray} needs --phone.`);
    const { client } = await connectOrStart(paths);
    const url = await loginLink(client);
    if (json) {
      console.log(JSON.stringify({ url }));
      return 0;
    }
    const opened = !print && (await openInBrowser(url));
    console.log(
      opened
        ? `Opened ${paint.bold(client.info.http)}. If no browser appeared, use this link:`
        : 'Open this link:',
    );
    console.log(url);
    console.log(
      paint.dim(
        folded('The link works once, within a minute. While the page is open, approvals arrive there.'),
      ),
    );
    return 0;
  },
});

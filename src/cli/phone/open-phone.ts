import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { type Client, connectOrStart, type PhoneStatus, phoneStatus } from '../../client/client.ts';
import {
  canonicalAddress,
  isEveryAddress,
  isPublicAddress,
  machineAddresses,
} from '../../daemon/phone/addresses.ts';
import { PAIRING_MS } from '../../daemon/phone/pairing.ts';
import type { HomePaths } from '../../home/paths.ts';
import { folded, textWidth } from '../../terminal/fold.ts';
import { forTerminal } from '../../terminal/style.ts';
import { usage } from '../command.ts';
import { isAtTerminal } from '../confirm.ts';
import { paint } from '../output/paint.ts';
import { programName } from '../program.ts';
import { qrOnTerminal } from './qr.ts';

interface OpenPhoneOptions {
  readonly address?: string;
  readonly port?: string;
  readonly name?: string;
  readonly 'every-address'?: boolean;
  readonly off?: boolean;
  readonly json?: boolean;
}

const answered = v.object({ phone: v.nullable(phoneStatus) });
const pairingCode = v.object({ id: v.string(), url: v.string(), until: v.number() });
const pairingState = v.object({
  state: v.picklist(['waiting', 'paired', 'over']),
  device: v.optional(v.string(), ''),
});

const LOOK_EVERY_MS = 500;

/** Opens the dashboard to other devices and pairs one. */
export async function openPhone(paths: HomePaths, options: OpenPhoneOptions): Promise<number> {
  const wanted = options.off ? {} : settingsFrom(options);
  const { client } = await connectOrStart(paths);
  if (options.off) return switchOff(client, options.json ?? false);
  const before = v.parse(answered, await client.get('/api/phone')).phone;
  const address = wanted.address ?? before?.address ?? (await chosenAddress());
  if (address === null) return 1;
  const { phone } = v.parse(answered, await client.post('/api/phone/on', { ...wanted, address }));
  if (phone === null) throw new Error('the daemon reports that it is off');
  const code = v.parse(pairingCode, await client.post('/api/phone/pair'));
  const until = new Date(code.until).toISOString();
  if (options.json) {
    console.log(JSON.stringify({ url: code.url, until, phone }));
    return 0;
  }
  const qr = isAtTerminal() ? qrOnTerminal(code.url) : [];
  for (const line of phoneLines(phone, code.url, qr)) console.log(line);
  return isAtTerminal() ? waitFor(client, code) : 0;
}

/** Checked before anything is started. */
function settingsFrom(options: OpenPhoneOptions): { address?: string; port?: number; name?: string } {
  const { address: given, port, name } = options;
  const address = given === undefined ? undefined : canonicalAddress(given);
  if (address === null)
    throw usage('open', `--address takes an IP address of this machine; ${given} isn't one.`);
  if (address !== undefined && isEveryAddress(address) && !options['every-address'])
    throw usage(
      'open',
      `${given} listens on every network this machine joins. Pass one address, or add --every-address.`,
    );
  const number = port === undefined ? undefined : Number(port);
  if (number !== undefined && !(Number.isInteger(number) && number > 0 && number < 65_536))
    throw usage('open', '--port takes a number from 1 to 65535.');
  return {
    ...(address === undefined ? {} : { address }),
    ...(number === undefined ? {} : { port: number }),
    ...(name === undefined ? {} : { name }),
  };
}

async function switchOff(client: Client, json: boolean): Promise<number> {
  const { phone } = v.parse(answered, await client.post('/api/phone/off'));
  if (json) console.log(JSON.stringify({ phone }));
  else
    console.log(
      folded(
        'The dashboard is now open on this machine only. Paired devices stay paired; run `hookline devices` to list them.',
      ),
    );
  return 0;
}

/** Null if none was chosen. */
async function chosenAddress(): Promise<string | null> {
  const known = machineAddresses();
  const lines = known.map(
    ({ address, card, isPublic }) => `${address} (${card}${isPublic ? ', public' : ''})`,
  );
  if (!isAtTerminal())
    throw usage(
      'open',
      `Missing address. Pass --address: ${lines.join(', ') || 'this machine has only loopback addresses'}.`,
    );
  if (known.length === 0)
    throw usage('open', 'This machine has only loopback addresses. Connect it to a network first.');
  const { isCancel, select } = await import('@clack/prompts');
  const answer = await select({
    message: forTerminal('Which address should the dashboard listen on?'),
    options: known.map(({ address }, at) => ({ value: address, label: forTerminal(lines[at] ?? address) })),
  });
  return isCancel(answer) ? null : answer;
}

/** The code comes last: on a small terminal, what is above it scrolls away. */
export function phoneLines(phone: PhoneStatus, url: string, qr: readonly string[]): readonly string[] {
  const first = [...warningLines(phone), ...certificateLines(phone)];
  return [
    ...(first.length > 0 ? [...first, ''] : []),
    folded(
      `${qr.length > 0 ? 'Scan the code with your phone, or open this link there' : 'Open this link on your phone'}. It pairs one device, once, within ${PAIRING_MS / 60_000} minutes:`,
    ),
    url,
    ...qr,
  ];
}

function certificateLines({ fingerprint, authorityFile }: PhoneStatus): readonly string[] {
  if (fingerprint === null || authorityFile === null) return [];
  return [
    folded(
      'The browser will show a warning, because this machine made the certificate. Continue only if it shows this SHA-256 fingerprint:',
    ),
    ...fingerprintRows(fingerprint).map(paint.bold),
    paint.dim(
      folded(
        `To install the app and avoid the warning, copy ${authorityFile} to the phone and trust it there.`,
      ),
    ),
  ];
}

/** If it doesn't fit on a line, 16 bytes per line, so that it can be compared. */
export function fingerprintRows(fingerprint: string, width: number = textWidth()): readonly string[] {
  return fingerprint.length <= width ? [fingerprint] : (fingerprint.match(/.{1,48}/g) ?? []);
}

function warningLines({ address }: PhoneStatus): readonly string[] {
  if (isEveryAddress(address))
    return [
      paint.red(
        folded('WARNING: the dashboard listens on every address of this machine, on every network it joins.'),
      ),
    ];
  if (!isPublicAddress(address)) return [];
  return [
    paint.yellow(
      folded(
        `Warning: ${address} is a public address. Anyone on the internet may reach it; pairing is its only protection.`,
      ),
    ),
  ];
}

/** Waits until a device has used the code, or until it expires. */
async function waitFor(client: Client, { id, until }: v.InferOutput<typeof pairingCode>): Promise<number> {
  console.log(paint.dim('Waiting for the device. The code stays valid if you press Ctrl-C.'));
  for (;;) {
    const { state, device } = v.parse(pairingState, await client.get(`/api/phone/pairing/${id}`));
    if (state === 'paired') {
      console.log(
        `Paired ${paint.bold(device)}. It can allow a call once. Run \`${programName()} devices limit\` to change that.`,
      );
      return 0;
    }
    // Checks our own clock too, and doesn't depend on an answer of the daemon.
    if (state === 'over' || Date.now() > until + LOOK_EVERY_MS) {
      console.log('The code expired. Run the command again.');
      return 1;
    }
    await pause(LOOK_EVERY_MS);
  }
}

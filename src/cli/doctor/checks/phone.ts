import { ok, warning } from '../../../agents/setup/findings.ts';
import { isEveryAddress, isPublicAddress } from '../../../daemon/phone/addresses.ts';
import { counted } from '../../../model/text.ts';
import type { Diagnosis, Examined } from '../check.ts';

const OFF = 'Run `hookline open --phone --off` to stop listening, or `--address A` to change the address.';

/** Checks that other devices can reach the dashboard on private networks only. */
export function phone({ presence }: Pick<Examined, 'presence'>): readonly Diagnosis[] {
  if (presence.kind !== 'answers') return [];
  const { phone: listener, devices } = presence.status;
  // If it is not listening, there is an alert.
  if (listener === null || listener.url === null) return [];
  const paired = `${counted(devices.length, 'device')} paired${devices.length > 0 ? `: ${devices.map(({ name }) => name).join(', ')}` : ''}`;
  const found = ok('phone', `Paired devices can open the dashboard at ${listener.url}; ${paired}.`);
  if (!isPublicAddress(listener.address)) return [found];
  const where = isEveryAddress(listener.address)
    ? 'on every address of this machine'
    : `on ${listener.address}, which is a public address`;
  return [
    found,
    warning('phone-public', `The dashboard listens ${where}. Pairing is its only protection.`, OFF),
  ];
}

import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** An address that this machine has. */
interface MachineAddress {
  readonly address: string;
  /** The network interface: `wlan0`, `tailscale0`. */
  readonly card: string;
  readonly isPublic: boolean;
}

/** Networks that can't be reached from the internet: of homes and offices, of VPNs, of one cable, of this machine. */
export const PRIVATE_NETWORKS: readonly (readonly [network: string, prefix: number])[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
];

const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of PRIVATE_NETWORKS)
  NOT_PUBLIC.addSubnet(network, prefix, isIPv6(network) ? 'ipv6' : 'ipv4');

/** True if the address may be reachable from the internet. */
export function isPublicAddress(address: string): boolean {
  return isEveryAddress(address) || !NOT_PUBLIC.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** True for the wildcard of all addresses, now and later. */
export function isEveryAddress(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

/** An address in the form that browsers use; null if it is invalid. */
export function canonicalAddress(given: string): string | null {
  const kind = isIP(given);
  if (kind === 0 || given.includes('%')) return null;
  if (kind === 4) return given;
  const canonical = new URL(`http://[${given}]`).hostname.slice(1, -1);
  // An IPv4 address in IPv6 form would be classified wrongly.
  return canonical.startsWith('::ffff:') ? null : canonical;
}

/** Addresses to choose from. Loopback is left out, because the dashboard is always there. */
export function machineAddresses(found = networkInterfaces()): readonly MachineAddress[] {
  const all = Object.entries(found).flatMap(([card, entries = []]) =>
    entries
      // A link-local address needs the name of the network card, which browsers don't accept.
      .filter(({ internal, address }) => !internal && !address.toLowerCase().startsWith('fe80:'))
      .flatMap(({ address }) => canonicalAddress(address) ?? [])
      .map((address) => ({ address, card, isPublic: isPublicAddress(address) })),
  );
  return all.sort(
    (a, b) =>
      Number(a.isPublic) - Number(b.isPublic) || Number(isIPv6(a.address)) - Number(isIPv6(b.address)),
  );
}

/** As in a URL and in the Host header. */
export function inUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/** The bytes of an address, 4 or 16. */
export function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [before = '', after] = (canonicalAddress(address) ?? address).split('::');
  const groups = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [start, end] = [groups(before), groups(after ?? '')];
  const all = [...start, ...new Array<number>(8 - start.length - end.length).fill(0), ...end];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

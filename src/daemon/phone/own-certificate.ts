import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { readOwnFile } from '../../platform/bounded-files.ts';
import { writePrivateFile } from '../../platform/files.ts';
import { isPublicAddress, PRIVATE_NETWORKS } from './addresses.ts';
import {
  type Authority,
  fingerprintOf,
  issueAuthority,
  issueServerCertificate,
  type KeyedCertificate,
  type Permitted,
} from './certificate.ts';

/** A server's certificate and the authority behind it. */
export interface ServerCertificate extends KeyedCertificate {
  /** The fingerprint of the server's certificate. */
  readonly fingerprint: string;
  /** The file with the authority's certificate, to install on a phone; null for a user's own certificate. */
  readonly authorityFile: string | null;
}

const pem = { certificate: v.string(), key: v.string() };
const storedAuthority = v.object({ ...pem, name: v.string(), permits: v.array(v.string()) });
const storedServer = v.object({ ...pem, names: v.array(v.string()) });

/** A certificate that expires sooner is replaced. */
const RENEW_MS = 30 * 86_400_000;

/**
 * The certificate for a server with these addresses and names, from the authority of this home. Both are created on
 * demand and kept, so that a phone has to trust them only once.
 */
export function ownCertificate(folder: string, names: readonly string[], now: number): ServerCertificate {
  const authorityFile = join(folder, 'ca.crt');
  const authority = authorityFor(folder, names, now);
  // Written each time, because users install this file and may have deleted it.
  writePrivateFile(authorityFile, authority.certificate);
  const file = join(folder, 'server.json');
  const kept = read(file, storedServer);
  const isGood =
    kept !== null &&
    kept.names.join() === names.join() &&
    isCurrent(kept, now) &&
    new X509Certificate(kept.certificate).verify(new X509Certificate(authority.certificate).publicKey);
  const server = isGood ? kept : { ...issueServerCertificate(authority, names, now), names };
  if (!isGood) writePrivateFile(file, `${JSON.stringify(server, null, 2)}\n`);
  const { certificate, key } = server;
  return { certificate, key, fingerprint: fingerprintOf(certificate), authorityFile };
}

function authorityFor(folder: string, names: readonly string[], now: number): Authority {
  const file = join(folder, 'authority.json');
  const kept = read(file, storedAuthority);
  const special = names.filter((name) => !isPrivateAddress(name));
  if (kept && isCurrent(kept, now) && special.every((name) => kept.permits.includes(name))) return kept;
  // Keeps everything that it already certifies.
  const permits = [...new Set([...(kept?.permits ?? []), ...special])];
  const made = issueAuthority(`Hookline on ${hostname()}`, permittedFor(permits), now);
  writePrivateFile(file, `${JSON.stringify({ ...made, permits }, null, 2)}\n`);
  return made;
}

const isPrivateAddress = (name: string): boolean => isIP(name) !== 0 && !isPublicAddress(name);

function permittedFor(special: readonly string[]): Permitted {
  const addresses = special.filter((name) => isIP(name) !== 0);
  const names = special.filter((name) => isIP(name) === 0);
  return {
    networks: [...PRIVATE_NETWORKS, ...addresses.map((one) => [one, isIP(one) === 6 ? 128 : 32] as const)],
    // An empty list would permit every name; this one can't exist.
    names: names.length > 0 ? names : ['hookline.invalid'],
  };
}

function isCurrent({ certificate }: KeyedCertificate, now: number): boolean {
  return Date.parse(new X509Certificate(certificate).validTo) > now + RENEW_MS;
}

/** Null for a missing or unreadable file, which is then recreated. */
function read<T>(file: string, schema: v.GenericSchema<unknown, T>): T | null {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), readOwnFile(file) ?? '');
  return parsed.success ? parsed.output : null;
}

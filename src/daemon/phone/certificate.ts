import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import { addressBytes } from './addresses.ts';
import { bits, type Der, der, integer, octets, oid, sequence, setOf, TRUE, text, time } from './der.ts';

/** A certificate with its key, both as PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** An authority that signs certificates, under the name in its own certificate. */
export interface Authority extends KeyedCertificate {
  readonly name: string;
}

/** What an authority may certify: addresses with their prefix length, and domains with their subdomains. */
export interface Permitted {
  readonly networks: readonly (readonly [network: string, prefix: number])[];
  readonly names: readonly string[];
}

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
/** Phones reject longer ones. */
const SERVER_DAYS = 397;
/** Tolerance for clocks that differ. */
const BEFORE_MS = DAY_MS;

/**
 * An authority of this machine. It may certify only what is named here, so a stolen key doesn't endanger a phone that
 * trusts it anywhere else.
 */
export function issueAuthority(name: string, permitted: Permitted, now: number): Authority {
  const { publicKey, privateKey } = newKeys();
  const subject = named(name);
  const issued = issue(
    subject,
    subject,
    publicKey,
    privateKey,
    [now, AUTHORITY_DAYS],
    [
      extension('2.5.29.19', true, sequence(TRUE, integer(Buffer.from([0])))),
      // For signing certificates and revocation lists.
      extension('2.5.29.15', true, bits(Buffer.from([0b0000_0110]), 1)),
      // Host names and addresses are restricted below; this excludes mail, software and people.
      extension('2.5.29.37', false, FOR_SERVERS),
      extension('2.5.29.14', false, octets(keyId(publicKey))),
      extension('2.5.29.30', true, sequence(der(0xa0, ...subtrees(permitted)))),
    ],
    privateKey,
  );
  return { name, ...issued };
}

const FOR_SERVERS = sequence(oid('1.3.6.1.5.5.7.3.1'));

/** Deliberately not a valid host name: OpenSSL 3.0 would check it against the authority's limits. */
const SERVER_NAME = 'Hookline dashboard';

/** A certificate for a server with these addresses and names. */
export function issueServerCertificate(
  authority: Authority,
  names: readonly string[],
  now: number,
): KeyedCertificate {
  const { publicKey, privateKey } = newKeys();
  const key = createPrivateKey(authority.key);
  return issue(
    named(authority.name),
    named(SERVER_NAME),
    publicKey,
    privateKey,
    [now, SERVER_DAYS],
    [
      extension('2.5.29.19', true, sequence()),
      extension('2.5.29.15', true, bits(Buffer.from([0b1000_0000]), 7)),
      extension('2.5.29.37', false, FOR_SERVERS),
      extension('2.5.29.17', false, sequence(...names.map(generalName))),
      extension('2.5.29.14', false, octets(keyId(publicKey))),
      extension('2.5.29.35', false, sequence(der(0x80, keyId(createPublicKey(key))))),
    ],
    key,
  );
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
}

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));

function issue(
  issuer: Der,
  subject: Der,
  publicKey: KeyObject,
  ownKey: KeyObject,
  [now, days]: readonly [number, number],
  extensions: readonly Der[],
  signer: KeyObject,
): KeyedCertificate {
  const serial = randomBytes(16);
  serial[0] = 1 + ((serial[0] ?? 0) % 127);
  const signed = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(time(new Date(now - BEFORE_MS)), time(new Date(now + days * DAY_MS))),
    subject,
    spki(publicKey),
    der(0xa3, sequence(...extensions)),
  );
  const certificate = sequence(signed, ECDSA_WITH_SHA256, bits(sign('sha256', signed, signer)));
  return {
    certificate: new X509Certificate(certificate).toString(),
    key: String(ownKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

/** A distinguished name with only a common name. */
function named(name: string): Der {
  return sequence(setOf(sequence(oid('2.5.4.3'), text(name.slice(0, 60)))));
}

function extension(id: string, isCritical: boolean, value: Der): Der {
  return sequence(oid(id), ...(isCritical ? [TRUE] : []), octets(value));
}

function spki(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function keyId(key: KeyObject): Buffer {
  return createHash('sha256').update(spki(key)).digest().subarray(0, 20);
}

const generalName = (name: string): Der =>
  isIP(name) === 0 ? der(0x82, Buffer.from(name)) : der(0x87, addressBytes(name));

function subtrees({ networks, names }: Permitted): readonly Der[] {
  return [
    ...networks.map(([network, prefix]) => sequence(der(0x87, addressBytes(network), mask(network, prefix)))),
    ...names.map((name) => sequence(der(0x82, Buffer.from(name)))),
  ];
}

function mask(network: string, prefix: number): Buffer {
  const bytes = addressBytes(network).map((_, at) => {
    const ones = Math.min(8, Math.max(0, prefix - at * 8));
    return 0xff & ~(0xff >> ones);
  });
  return Buffer.from(bytes);
}

/** As browsers show it, for comparison by eye. */
export function fingerprintOf(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256;
}

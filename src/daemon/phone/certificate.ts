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

/** Vouches for others, under a name that it has in its own certificate. */
export interface Authority extends KeyedCertificate {
  readonly name: string;
}

/** What an authority may vouch for: addresses with the length of their network, and names with all below them. */
export interface Permitted {
  readonly networks: readonly (readonly [network: string, prefix: number])[];
  readonly names: readonly string[];
}

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
/** Phones take no longer ones. */
const SERVER_DAYS = 397;
/** Clocks differ. */
const BEFORE_MS = DAY_MS;

/**
 * An authority of this machine's own. It vouches for nothing but what is named here: a phone that trusts it is in no
 * danger elsewhere, should its key be stolen.
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
      // To sign certificates, and lists of those that were revoked.
      extension('2.5.29.15', true, bits(Buffer.from([0b0000_0110]), 1)),
      // Names of hosts and addresses are limited below; this leaves out mail, programs and people.
      extension('2.5.29.37', false, FOR_SERVERS),
      extension('2.5.29.14', false, octets(keyId(publicKey))),
      extension('2.5.29.30', true, sequence(der(0xa0, ...subtrees(permitted)))),
    ],
    privateKey,
  );
  return { name, ...issued };
}

const FOR_SERVERS = sequence(oid('1.3.6.1.5.5.7.3.1'));

/** No name that could be a host's: OpenSSL 3.0 would compare it with what the authority may vouch for. */
const SERVER_NAME = 'Hookline dashboard';

/** A certificate for a server that is reached by these addresses and names. */
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

/** The name of an owner, which is all that is said of one. */
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

/** As browsers show it, to be compared by eye. */
export function fingerprintOf(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256;
}

import { domainToUnicode } from 'node:url';
import { anyWordFor } from '../../knowledge/load.ts';
import { BoundedMap, once } from '../../platform/bounded.ts';

/**
 * Traits of an address: `metadata` returns the machine's credentials, `disguised` imitates another host, `unusual` is a
 * spelling that hides the host.
 */
export type HostTrait = 'metadata' | 'disguised' | 'unusual';

const remembered = new BoundedMap<string, readonly HostTrait[]>(500);

/** Traits of a host, and of the whole address if known. */
export function hostTraits(host: string | null, url: string | null): readonly HostTrait[] {
  const authority = authorityOf(url) ?? host;
  if (authority === null || PLAIN.test(authority)) return NONE;
  let traits = remembered.get(authority);
  if (!traits) {
    traits = traitsOf(authority);
    remembered.set(authority, traits);
  }
  return traits;
}

const NONE: readonly HostTrait[] = [];
/** Nearly every host: two or three labels, none of them famous or encoded. */
const PLAIN =
  /^(?!.*(?:xn--|metadata|instance-data|\.(?:com|org|net|io|dev)\.))(?:[a-z][a-z0-9-]*\.){1,3}[a-z]{2,}(?::\d+)?$/;

/** The part between the scheme and the path; null without a scheme. */
function authorityOf(url: string | null): string | null {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url ?? '')?.[1] ?? null;
}

function traitsOf(authority: string): readonly HostTrait[] {
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? '' : authority.slice(0, at);
  const written = authority.slice(at + 1).replace(/:\d+$/, '');
  const canonical = canonicalHost(written);
  const traits = new Set<HostTrait>();
  if (isMetadata(canonical)) traits.add('metadata');
  if (looksLikeHost(user) || isLookalike(written, canonical) || borrowsName(canonical))
    traits.add('disguised');
  else if (isUnreadable(canonical) || isOddAddress(written, canonical)) traits.add('unusual');
  return [...traits];
}

/** The host as a client resolves it: `0xA9FEA9FE`, `2852039166` and `[::ffff:a9fe:a9fe]` are all 169.254.169.254. */
function canonicalHost(written: string): string {
  const bare = written.replace(/\.$/, '');
  if (!URL.canParse(`http://${bare}/`)) return bare.toLowerCase();
  const { hostname } = new URL(`http://${bare}/`);
  const mapped = /^\[::(?:ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname);
  if (!mapped) return hostname;
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

const METADATA_NAMES =
  /^(?:metadata|instance-data)(?:\.(?:google|goog|azure|ec2|tencentyun|platformequinix)(?:\.(?:internal|com))?|\.internal)?$/;
/** Link-local addresses, and the metadata addresses of other clouds. */
const METADATA_ADDRESSES =
  /^(?:169\.254\.\d+\.\d+|100\.100\.100\.200|192\.0\.0\.192|168\.63\.129\.16|\[fd00:ec2::254\]|\[fd20:ce::254\]|\[fe80:.*\])(?:\.(?:nip|sslip|xip)\.io)?$/;

function isMetadata(host: string): boolean {
  return METADATA_NAMES.test(host) || METADATA_ADDRESSES.test(host);
}

/** The part before an @ is a user name, even if it looks like a host. */
function looksLikeHost(user: string): boolean {
  const [name = ''] = decoded(user).split(':');
  return /^(?:[\w-]+\.)+[a-z]{2,}(?:\/|$)/i.test(name) || name.includes('/');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Cherokee',
  'Thai',
  'Georgian',
].map((script) => new RegExp(`\\p{Script=${script}}`, 'u'));
/** Letters of other scripts that look like Latin ones. */
const TWINS = /^[аеорсухіјѕһԁԛԝвнкмтαορνικυχβεζημτԀ\d-]+$/u;
/** Latin letters that occur in no language's names: script g, small capitals, fractions. */
const ODD_LATIN = /[\u0250-\u02af\u1d00-\u1dbf\ua720-\ua7ff\uff00-\uffef]/u;

function isLookalike(written: string, canonical: string): boolean {
  if (INVISIBLE.test(written) || /%[0-9a-f]{2}|\\|[\u3002\uff0e\uff61]/i.test(written)) return true;
  const labels = domainToUnicode(canonical).split('.');
  return [written, ...labels].some(
    (label) =>
      ODD_LATIN.test(label) ||
      isAccented(label) ||
      SCRIPTS.filter((script) => script.test(label)).length > 1 ||
      (/[^\u0020-\u024f]/.test(label) && TWINS.test(label) && /^[\u0020-\u007e]*$/.test(labels.at(-1) ?? '')),
  );
}

const famous = once(
  () =>
    new RegExp(`(?:^|\\.)${anyWordFor('famous-host')}\\.(?:com|org|net|io)\\.(?!(?:[a-z]{2})$)[a-z0-9-]+`),
);
const famousName = once(() => new RegExp(`^${anyWordFor('famous-host')}(?:-|$)`));

/** A famous name with an accent added or removed. */
function isAccented(label: string): boolean {
  if (!/[\u0080-\u024f\u1e00-\u1eff]/.test(label)) return false;
  const bare = label
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('\u0131', 'i')
    .replaceAll('\u0142', 'l');
  return famousName().test(bare.replaceAll('\u00f8', 'o').replaceAll('\u0111', 'd'));
}

/** True for punycode that does not decode. A real name in any script decodes. */
function isUnreadable(host: string): boolean {
  return host.includes('xn--') && /^$|xn--/.test(domainToUnicode(host));
}

/** `github.com.example.io` belongs to example.io. */
function borrowsName(host: string): boolean {
  return famous().test(host);
}

/** An address in hexadecimal, octal or as one number. */
function isOddAddress(written: string, canonical: string): boolean {
  return /^\d+(?:\.\d+){3}$/.test(canonical) && written !== canonical && !written.startsWith('[');
}

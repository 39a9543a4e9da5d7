/** The few parts of DER, the encoding of certificates, needed to write one. */
export type Der = Buffer;

export function der(tag: number, ...parts: readonly Uint8Array[]): Der {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...parts: readonly Uint8Array[]): Der => der(0x30, ...parts);
export const setOf = (...parts: readonly Uint8Array[]): Der => der(0x31, ...parts);
export const octets = (content: Uint8Array): Der => der(0x04, content);
export const text = (content: string): Der => der(0x0c, Buffer.from(content));
export const TRUE: Der = der(0x01, Buffer.from([0xff]));

/** A non-negative number: a leading zero keeps it positive. */
export function integer(bytes: Uint8Array): Der {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start === -1 ? Buffer.from([0]) : bytes.subarray(start);
  return der(0x02, ...((digits[0] ?? 0) & 0x80 ? [Buffer.from([0])] : []), digits);
}

/** Bits, of which the last `unused` don't count. */
export function bits(content: Uint8Array, unused = 0): Der {
  return der(0x03, Buffer.from([unused]), content);
}

/** An object identifier, as in `2.5.29.17`. */
export function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): readonly number[] {
  const bytes = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128))
    bytes.unshift(0x80 | (rest % 128));
  return bytes;
}

/** A time, to the second. From 2050 on, years have four digits. */
export function time(at: Date): Der {
  const digits = at.toISOString().replace(/[-:T]|\.\d+/g, '');
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}

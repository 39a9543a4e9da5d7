import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { hasUnknown } from '../../placeholders.ts';
import type { Arguments } from './brackets.ts';
import { known, madeFrom, type Value } from './value.ts';

/** Decodes a text; null if the result is not text. */
type Decoder = (text: string) => string | null;

const LONGEST = 65_536;

const base64: Decoder = (text) => printed(Buffer.from(text, 'base64'));
const hex: Decoder = (text) => printed(Buffer.from(text.replace(/\s+/g, ''), 'hex'));
const rotated: Decoder = (text) =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter < 'a' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });
const escaped: Decoder = (text) =>
  text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Keeps non-text bytes one by one, for a later unpacking. */
function printed(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  if (text === '') return null;
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

const unpacked: Decoder = (text) => {
  const bytes = Buffer.from(text, 'latin1');
  for (const unpack of [inflateSync, gunzipSync, inflateRawSync]) {
    try {
      return unpack(bytes, { maxOutputLength: LONGEST }).toString('utf8');
    } catch {
      // Compressed with another format, or not at all.
    }
  }
  return null;
};

const named = (names: string, decoder: Decoder | null) =>
  names.split(' ').map((name) => [name, decoder] as const);

/** By the last part of a name; null if there is no equivalent here. */
const BY_NAME: ReadonlyMap<string, Decoder | null> = new Map([
  ...named(
    'b64decode urlsafe_b64decode standard_b64decode decode64 strict_decode64 urlsafe_decode64',
    base64,
  ),
  ...named('atob base64_decode decode_base64 decodebytes decodestring', base64),
  ...named('fromhex unhexlify a2b_hex hex2bin', hex),
  ...named('str_rot13 rot13', rotated),
  ...named('unescape decodeURIComponent urldecode unquote', escaped),
  ...named('decompress inflate inflateSync inflateRaw inflateRawSync gunzip gunzipSync unzipSync', unpacked),
  ...named('gzinflate gzuncompress gzdecode', unpacked),
  ...named('b32decode b85decode a85decode b16decode decompressSync uudecode brotliDecompressSync', null),
  ...named('convert_uudecode decrypt decipher', null),
]);
const CODECS: Readonly<Record<string, Decoder>> = {
  base64,
  base64url: base64,
  hex,
  rot13: rotated,
  rot_13: rotated,
  zlib: unpacked,
};
const BY_CODEC: ReadonlySet<string> = new Set(['decode', 'from', 'toString']);
const PACKS: ReadonlySet<string> = new Set(['pack', 'unpack', 'unpack1']);
/** Most names in a program are none of these. */
const DECODES: ReadonlySet<string> = new Set([...BY_CODEC, ...PACKS, ...BY_NAME.keys(), 'loads']);
const LOADS = /(?:marshal|pickle|dill|cloudpickle)\.loads$/;

/** The decoder that a call applies; null if it decodes nothing. */
export function decoderOf(path: string, name: string, { list }: Arguments): ((value: Value) => Value) | null {
  if (!DECODES.has(name)) return null;
  const codec = BY_CODEC.has(name) ? (list[1] ?? list[0])?.text : undefined;
  const byCodec = codec !== undefined && Object.hasOwn(CODECS, codec) ? CODECS[codec] : undefined;
  if (byCodec) return decodedBy(byCodec);
  if (PACKS.has(name))
    return packed(
      name,
      list.map(({ text }) => text),
    );
  const found = BY_NAME.get(name) ?? (name === 'loads' && LOADS.test(path) ? null : undefined);
  if (found === undefined && !BY_NAME.has(name)) return null;
  return decodedBy(found ?? (() => null));
}

/** `['MQ=='].pack('H*')`, `unpack1('m')`; in Perl the format comes first. */
function packed(name: string, texts: readonly string[]): ((value: Value) => Value) | null {
  const form = texts.find((text) => /^[HhmMuU]\d*\*?$/.test(text));
  if (form === undefined) return null;
  const reads = name !== 'pack';
  const decoder = form.startsWith('m') ? (reads ? base64 : null) : /^[Hh]/.test(form) && !reads ? hex : null;
  return decodedBy(decoder ?? (() => null), texts[1]);
}

function decodedBy(decoder: Decoder, second?: string): (value: Value) => Value {
  return (value) => {
    const text =
      second !== undefined && /^[HhmM]/.test(value.text) ? second : (value.items?.[0]?.text ?? value.text);
    const plain = text.length > LONGEST || hasUnknown(text) ? null : decoder(text);
    const made = plain === null || hasUnknown(plain) ? madeFrom(value) : known(plain);
    return { ...made, marks: value.marks, decoded: true };
  };
}

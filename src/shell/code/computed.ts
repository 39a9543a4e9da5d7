const STRING = String.raw`(?:[rbu]?'((?:[^'\\\n]|\\.)*)'|[rbu]?"((?:[^"\\\n]|\\.)*)")`;
const ARGUMENTS = String.raw`(\(\s*)?${STRING}(?:\s*,\s*${STRING})?\s*\)?`;

const PERCENT = new RegExp(String.raw`${STRING}\s*%\s*${ARGUMENTS}`, 'g');
const FORMAT = new RegExp(String.raw`${STRING}\.format\(\s*${STRING}(?:\s*,\s*${STRING})?\s*\)`, 'g');
const REVERSED = new RegExp(
  String.raw`${STRING}(?:\[::-1\]|\.reverse\b|\.split\(\s*(?:''|"")\s*\)\.reverse\(\)\.join\(\s*(?:''|"")\s*\))`,
  'g',
);
const ENCODED = new RegExp(
  String.raw`\b(?:(?:base64\.)?(?:urlsafe_)?b64decode|atob|base64_decode|decode_base64|Base64\.(?:strict_)?decode64|bytes\.fromhex|bytearray\.fromhex|unhexlify|Buffer\.from)\(\s*${STRING}\s*(?:,\s*['"](base64(?:url)?|hex)['"]\s*)?\)(?:\.(?:decode|toString)\([^()]*\))?`,
  'g',
);
/** A string that is put into another: `${'hook'}`, `{'hook'}`. */
const INSERTED = /[$#]?\{\s*(['"])([\w./ -]*)\1\s*\}/g;

const HINT = /%|format|\[::-1\]|reverse|decode|atob|fromhex|hexlify|Buffer\.from|\{\s*['"]/;

const LONGEST = 4_096;

/** The same program with strings that it computes from others as what they come to. */
export function computedStrings(code: string): string {
  if (!HINT.test(code)) return code;
  return (code + decodedPaths(code))
    .replace(REVERSED, (_, a?: string, b?: string) => quoted([...(a ?? b ?? '')].reverse().join('')))
    .replace(PERCENT, (_, ...found: (string | undefined)[]) => {
      const [a, b, , c, d, e, f] = found;
      return quoted(filled(a ?? b ?? '', /%[sdir]/g, [c ?? d ?? '', e ?? f ?? '']));
    })
    .replace(FORMAT, (_, ...found: (string | undefined)[]) => {
      const [a, b, c, d, e, f] = found;
      return quoted(filled(a ?? b ?? '', /\{\d*\}/g, [c ?? d ?? '', e ?? f ?? '']));
    })
    .replace(INSERTED, '$2');
}

function filled(text: string, place: RegExp, values: readonly string[]): string {
  let next = 0;
  return text.replace(place, (whole) => values[next++] ?? whole);
}

/** Paths that were encoded, behind the program: that it decodes something is still to be seen in it. */
function decodedPaths(code: string): string {
  const texts = [...code.matchAll(ENCODED)].map(([whole, a, b, format]) =>
    decoded(a ?? b ?? '', whole, format),
  );
  return texts.flatMap((text) => (text?.includes('/') ? `\n${quoted(text)}` : [])).join('');
}

/** Text, or null if it is none. */
function decoded(text: string, call: string, format: string | undefined): string | null {
  if (text.length > LONGEST || (call.startsWith('Buffer') && format === undefined)) return null;
  const isHex = format === 'hex' || /hex/.test(call.slice(0, call.indexOf('(')));
  const plain = Buffer.from(text, isHex ? 'hex' : 'base64').toString('utf8');
  return plain === '' || !/^[\x20-\x7e]+$/.test(plain) ? null : plain;
}

const quoted = (text: string) => JSON.stringify(text).replaceAll('\\\\', '\\');

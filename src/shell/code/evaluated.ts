import type { Call } from '../call.ts';
import { withoutUnknown } from '../marks.ts';
import { hostOf } from '../places/hosts.ts';

const DECODES =
  /b64decode|b32decode|b85decode|fromhex|unhexlify|decompress|atob\s*\(|['"](?:base64|hex)['"]|decode_base64|base64_decode|gzinflate|gzuncompress|str_rot13|rot_?13|hex2bin|unpack1?\b|\bpack\s*\(?\s*['"][HhmuU]|strict_decode64|urlsafe_decode64|decode64|fromCharCode|unescape\s*\(|codecs\.decode|marshal\.loads|pickle\.loads|\bchr\s*\(|inflate|\\x[0-9a-f]{2}\\x/i;
const FETCHES =
  /urlopen|requests\.(?:get|post)|httpx\.|fetch\s*\(|\bhttps?\.get|URI\.open|open-uri|Net::HTTP|LWP|\bget\s*\(?\s*['"]https?:|file_get_contents\s*\(\s*['"]https?:|curl_exec|socket\.|recv\s*\(|https?:\/\//i;

export function decodes(expression: string): boolean {
  const end = expression.indexOf(';');
  return DECODES.test(end < 0 ? expression : expression.slice(0, end));
}

/** Where text that a program runs as code comes from, as far as the expression says so. */
export function evaluate(call: Call, expression: string): void {
  const address = /['"](https?:\/\/[^'"]+)['"]/.exec(expression)?.[1] ?? null;
  if (FETCHES.test(expression)) call.execute('network', null, address === null ? null : hostOf(address));
  else call.execute(DECODES.test(expression) ? 'decoded' : 'unknown');
  call.walk.lost(`${call.name} runs code made at run time`);
}

/** `.then(eval)`, `map(exec, …)`: the function is passed on, not called. */
const PASSED = /[(,]\s*(?:eval|exec|Function)\s*[),]/;

/** Code whose text is made somewhere else than in the call that runs it. */
export function passedOn(call: Call, code: string): void {
  if (PASSED.test(code)) evaluate(call, code);
}

/** A name that holds what was decoded or fetched a few lines before. */
export function meaning(code: string, expression: string): string {
  const name = /^\s*[$@]?([A-Za-z_]\w*)\s*(?:[),;]|$)/.exec(expression)?.[1];
  if (name === undefined) return expression;
  const assigned = new RegExp(`(?<![\\w.])[$@]?${name}\\s*=(?!=)([^\\n;]{1,500})`).exec(code)?.[1];
  return assigned ?? withoutUnknown(expression);
}

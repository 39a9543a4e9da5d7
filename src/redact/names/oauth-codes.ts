import type { Reader } from '../text/reader.ts';

const LOOKED_AROUND = 160;
const CODE = /^(?:(?:user|device|auth|authorization)_?)?code$/i;
/** Other parameters of a sign-in. */
const BESIDE =
  /(?:grant_type|redirect_uri|client_id|code_verifier|session_state|user_code|device_code)(?:=|%3d)|[?&#;](?:state|scope|iss)=/i;
/** Where such codes are sent. */
const PLACE = /\/(?:cb|callback|oauth2?|authorize|signin|sso)\b|callback\?/i;

/** True for the code of a sign-in, as opposed to that of a country or an error. */
export function isExchanged(reader: Reader, start: number, end: number, inQuery: boolean): boolean {
  if (!CODE.test(reader.slice(start, end))) return false;
  const before = reader.slice(Math.max(0, start - LOOKED_AROUND), start);
  const behind = reader.slice(start, end + LOOKED_AROUND);
  if (!inQuery) return BESIDE.test(before) || BESIDE.test(behind);
  // Of the same address.
  const address = `${before.slice(before.lastIndexOf(' ') + 1)}${behind.split(/\s/, 1)[0]}`;
  return BESIDE.test(address) || PLACE.test(address);
}

import { renderUnicodeCompact } from 'uqr';
import { COLOURED } from '../../terminal/colour.ts';
import { styled } from '../../terminal/style.ts';

/** 57 modules wide, for 213 bytes: a larger code doesn't fit on a terminal. */
const MOST_VERSION = 10;
/** The margin that scanners need around a code. */
const QUIET = 4;

/** A link as a QR code, white on black in every color theme; empty if the link is too long. */
export function qrOnTerminal(link: string): readonly string[] {
  const lines = rendered(link);
  return COLOURED ? lines.map((line) => styled(97, styled(40, line, 49), 39)) : lines;
}

function rendered(link: string): readonly string[] {
  try {
    return renderUnicodeCompact(link, { ecc: 'M', maxVersion: MOST_VERSION, border: QUIET }).split('\n');
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

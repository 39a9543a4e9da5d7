import { qrCode, qrLines } from '../phone/qr.ts';
import { COLOURED } from '../terminal/colour.ts';
import { styled } from '../terminal/style.ts';

/** A link as a QR code, white on black whatever the colours of the terminal; empty where it is too long for one. */
export function qrOnTerminal(link: string): readonly string[] {
  const code = qrCode(link);
  if (code === null) return [];
  const lines = qrLines(code);
  return COLOURED ? lines.map((line) => styled(97, styled(40, line, 49), 39)) : lines;
}

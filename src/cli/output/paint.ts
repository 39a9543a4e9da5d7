import { COLOURED } from '../../terminal/colour.ts';
import { styled } from '../../terminal/style.ts';

function style(open: number, close: number): (text: string) => string {
  return COLOURED ? (text) => styled(open, text, close) : (text) => text;
}

export const paint = {
  bold: style(1, 22),
  dim: style(2, 22),
  red: style(31, 39),
  green: style(32, 39),
  yellow: style(33, 39),
  cyan: style(36, 39),
};

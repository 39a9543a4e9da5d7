import { styled } from '../terminal/style.ts';

/** Colours, on a terminal that wants them only. */
const enabled = process.env.NO_COLOR
  ? false
  : process.env.FORCE_COLOR
    ? process.env.FORCE_COLOR !== '0'
    : Boolean(process.stdout.isTTY) && process.env.TERM !== 'dumb';

function style(open: number, close: number): (text: string) => string {
  return enabled ? (text) => styled(open, text, close) : (text) => text;
}

export const paint = {
  bold: style(1, 22),
  dim: style(2, 22),
  red: style(31, 39),
  green: style(32, 39),
  yellow: style(33, 39),
  cyan: style(36, 39),
};

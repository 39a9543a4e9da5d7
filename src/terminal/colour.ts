import { isTerminal } from './output.ts';

/** True if output is colored: only in a terminal, and only if the user wants it. */
export const COLOURED: boolean = process.env.NO_COLOR
  ? false
  : process.env.FORCE_COLOR
    ? process.env.FORCE_COLOR !== '0'
    : isTerminal() && process.env.TERM !== 'dumb';

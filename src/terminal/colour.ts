import { isTerminal } from './output.ts';

/** Whether the terminal is to get colours: only a terminal, and only one whose user wants them. */
export const COLOURED: boolean = process.env.NO_COLOR
  ? false
  : process.env.FORCE_COLOR
    ? process.env.FORCE_COLOR !== '0'
    : isTerminal() && process.env.TERM !== 'dumb';

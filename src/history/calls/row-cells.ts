import { clockTime, oneLine, timeTaken } from '../../model/text.ts';
import { shortEventId } from '../../store/read/short-id.ts';
import type { Row } from './row.ts';

/** A row as text columns that fill a line of a terminal. Colors are added when it is printed. */
interface RowCells {
  readonly time: string;
  /** Agent and project. */
  readonly who: string;
  /** Tool and subject, as far as there is room. */
  readonly text: string;
  readonly words: string;
  readonly took: string;
  readonly id: string;
}

interface Columns {
  readonly width: number;
  /** Shows the agent, if rows of several are mixed. */
  readonly who?: boolean;
  readonly id?: boolean;
}

const AGENT = 6;
const PLACE = 12;
const TOOK = 10;
const ID = 6;
/** From this width on, the duration is shown too. */
const WIDE = 100;
const LEAST_TEXT = 16;

/** Aligned on both sides: the call on the left, its outcome on the right. */
export function rowCells(row: Row, { width, who = true, id = true }: Columns): RowCells {
  const time = clockTime(row.at);
  const agent = who ? `${row.source.padEnd(AGENT)} ${fit(row.place, PLACE)} ` : '';
  const indent = row.agentId === null || who ? '' : '  ';
  const took =
    width < WIDE ? '' : (row.durationMs === null ? '' : timeTaken(row.durationMs)).padStart(TOOK + 1);
  const end = id ? ` ${fit(shortEventId(row.id), ID)}` : '';
  const room = width - time.length - 1 - agent.length - took.length - end.length;
  const words = row.words === '' ? '' : ` ${oneLine(row.words, Math.max(8, room - LEAST_TEXT - 1))}`;
  const text = `${indent}${[row.name, row.subject].filter(Boolean).join(' ')}`;
  return {
    time: `${time} `,
    who: agent,
    text: fit(text, Math.max(LEAST_TEXT, room - words.length)),
    words,
    took,
    id: end,
  };
}

function fit(text: string, width: number): string {
  const indent = /^ */.exec(text)?.[0] ?? '';
  return `${indent}${oneLine(text, width - indent.length)}`.padEnd(width);
}

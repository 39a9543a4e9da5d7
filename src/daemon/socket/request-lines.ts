import type { Socket } from 'node:net';
import { MAX_REQUEST_BYTES } from '../../wire/limits.ts';
import { createLineReader } from '../../wire/lines.ts';
import type { Reply } from '../../wire/protocol.ts';
import type { Brake } from './brake.ts';
import type { WhenBusy } from './busy.ts';
import { type EarlyHold, holdEarly } from './early-hold.ts';
import { type Gate, type Intake, LARGE_LINE_BYTES, type Load } from './intake.ts';

interface Reading {
  readonly intake: Intake;
  readonly brake: Brake;
  /** Repeats the hold for a line that still takes long. */
  readonly still: WhenBusy;
  readonly send: (reply: Reply) => void;
}

type OnLine = (line: Buffer, load: Load, early: EarlyHold | null | undefined) => void;

/** An incomplete line. */
interface Coming {
  readonly load?: Load;
  /** Null if its sender can't be told to wait; undefined if that wasn't necessary yet. */
  readonly early?: EarlyHold | null | undefined;
}

const NONE: Coming = {};

/**
 * Reads the lines of a connection, as far as there is room. The receiver of a line ends its load. A sender that can
 * wait gets a hold as soon as its line is large, before the rest is scheduled.
 */
export function readLines(socket: Socket, { intake, brake, still, send }: Reading, onLine: OnLine): void {
  const gate: Gate = {
    pause: brake.hold,
    resume: brake.release,
    turnAway: () => void socket.destroy(),
  };
  let coming = NONE;
  const next = () => {
    const line = coming;
    coming = NONE;
    return line;
  };

  const take = (line: Buffer) => {
    const { load, early } = next();
    if (line.every(isSpace)) {
      early?.stop();
      load?.end();
      return;
    }
    const own = load ?? intake.begin(gate);
    own.complete(line.length);
    onLine(line, own, early);
  };
  const wait = (bytes: number, beginning: () => Buffer) => {
    const isLong = bytes > LARGE_LINE_BYTES || intake.isFull();
    if (bytes === 0 && !isLong) return;
    const { load = intake.begin(gate), early } = coming;
    coming = { load, early: early === undefined && isLong ? holdEarly(beginning(), still, send) : early };
    load.grow(bytes);
  };
  // A forwarder never sends this much, and no other sender gets more of our memory.
  const tooLong = () => void socket.destroy();

  socket.on('data', createLineReader(MAX_REQUEST_BYTES, take, tooLong, wait));
  socket.on('close', () => {
    const { load, early } = next();
    early?.stop();
    load?.end();
  });
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

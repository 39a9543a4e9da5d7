import { createSlowWorkAlert, type WhenBusy } from './busy.ts';

/** Limits the memory of all connections for lines that are incoming or unanswered. */
export interface Intake {
  /** A line begins. */
  begin(connection: Gate): Load;
  /** True if the limit is exceeded. */
  isFull(): boolean;
}

/** The connection that a line comes from. */
export interface Gate {
  /** Stops reading, so the rest stays with the sender. */
  pause(): void;
  resume(): void;
  /** The sender then evaluates the call itself. */
  turnAway(): void;
}

/** The share of one line. */
export interface Load {
  /** Number of bytes received so far. */
  grow(bytes: number): void;
  /** The line is complete, with this many bytes. */
  complete(bytes: number): void;
  /** The call waits for a person or a hook, so other lines may be processed. Its bytes still count. */
  park(): void;
  /** The line was answered, or its connection closed before it was complete. */
  end(): void;
}

interface IntakeOptions {
  /** Limit for all lines together. Above it, only lines that came in one piece are read at once. */
  readonly mostBytes?: number;
  /** A larger line needs a slot. */
  readonly large?: number;
  /** Number of slots. Processing a large call takes up to 20 times its size. */
  readonly mostLarge?: number;
  /** Calls back after a second. A time in which nothing could be read counts as one. */
  readonly second?: WhenBusy;
}

/** Reading a smaller line takes less time than a checkpoint. */
export const LARGE_LINE_BYTES: number = 256 << 10;
/** For the rest of a line that is being read. Senders have the whole line before they start. */
export const LINE_SECONDS = 10;
/** Seconds without a free slot. After that, waiting lines are turned away, one per second. */
export const STALLED_SECONDS = 30;

/** The state of a line within the limits. */
type Standing = 'small' | 'waiting' | 'placed' | 'parked' | 'ended';

export function createIntake({
  mostBytes = 64 << 20,
  large = LARGE_LINE_BYTES,
  mostLarge = 1,
  second = createSlowWorkAlert(1_000),
}: IntakeOptions = {}): Intake {
  const room = new Room(mostBytes, large, mostLarge, second);
  return {
    begin: (connection) => new Line(room, connection),
    isFull: () => room.isFull(),
  };
}

/** The shared limits, and the queue of waiting lines. */
class Room {
  readonly second: WhenBusy;
  private bytes = 0;
  private parkedBytes = 0;
  private placed = 0;
  /** First come, first served. */
  private readonly waiting = new Set<Line>();
  /** Seconds in which lines waited and no slot became free. */
  private stalledSeconds = 0;
  private isWatching = false;
  private readonly mostBytes: number;
  private readonly large: number;
  private readonly mostLarge: number;

  constructor(mostBytes: number, large: number, mostLarge: number, second: WhenBusy) {
    this.mostBytes = mostBytes;
    this.large = large;
    this.mostLarge = mostLarge;
    this.second = second;
  }

  isFull(): boolean {
    return this.bytes > this.mostBytes;
  }

  /** Each waiting line also has a piece in memory. */
  isOverfull(): boolean {
    return this.bytes > 2 * this.mostBytes;
  }

  mustWait({ bytes }: Line): boolean {
    return bytes > this.large || this.isFull();
  }

  add(bytes: number): void {
    this.bytes += bytes;
  }

  wait(line: Line): void {
    this.waiting.add(line);
    this.watch();
    this.admit();
  }

  leave(line: Line, standing: Standing): void {
    if (standing === 'waiting') this.waiting.delete(line);
    if (standing === 'placed') this.placed -= 1;
    if (standing === 'parked') this.parkedBytes -= line.bytes;
    if (standing !== 'waiting' && standing !== 'small') this.stalledSeconds = 0;
    this.bytes -= line.bytes;
    this.admit();
  }

  park({ bytes }: Line): void {
    this.placed -= 1;
    this.parkedBytes += bytes;
    this.stalledSeconds = 0;
    this.admit();
  }

  /** A small line that only waits for answers to others doesn't queue behind lines that need a slot. */
  private admit(): void {
    for (const line of this.waiting) {
      const isLarge = line.bytes > this.large;
      const hasRoom = isLarge
        ? this.placed < this.mostLarge && this.parkedBytes < this.mostBytes
        : !this.isFull();
      if (!hasRoom) continue;
      this.waiting.delete(line);
      if (isLarge) this.placed += 1;
      line.admitted(isLarge ? 'placed' : 'small');
    }
  }

  /** Calls in progress may take longer than callers wait. Queued calls are then evaluated by their forwarders. */
  private watch(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    this.second(() => {
      this.isWatching = false;
      this.stalledSeconds += 1;
      const [first] = this.waiting;
      if (this.stalledSeconds >= STALLED_SECONDS) first?.turnAway();
      if (this.waiting.size > 0) this.watch();
      else this.stalledSeconds = 0;
    });
  }
}

class Line implements Load {
  bytes = 0;
  private standing: Standing = 'small';
  private seconds = 0;
  private stopClock: (() => void) | null = null;
  private readonly room: Room;
  private readonly connection: Gate;

  constructor(room: Room, connection: Gate) {
    this.room = room;
    this.connection = connection;
  }

  grow(bytes: number): void {
    this.count(bytes);
    if (this.standing === 'ended' || this.standing === 'placed') return;
    if (this.room.isOverfull()) this.turnAway();
    else if (this.standing === 'small') this.begin();
  }

  private begin(): void {
    if (!this.room.mustWait(this)) {
      this.startClock();
      return;
    }
    this.standing = 'waiting';
    this.clearClock();
    this.connection.pause();
    this.room.wait(this);
  }

  /** A line in one piece is already in memory, so waiting would only cost time. */
  complete(bytes: number): void {
    this.count(bytes);
    this.clearClock();
  }

  park(): void {
    if (this.standing !== 'placed') return;
    this.standing = 'parked';
    this.room.park(this);
  }

  end(): void {
    if (this.standing === 'ended') return;
    const { standing } = this;
    this.standing = 'ended';
    this.clearClock();
    this.room.leave(this, standing);
  }

  admitted(standing: 'small' | 'placed'): void {
    this.standing = standing;
    this.startClock();
    this.connection.resume();
  }

  turnAway(): void {
    this.connection.turnAway();
    this.end();
  }

  private count(bytes: number): void {
    this.room.add(bytes - this.bytes);
    this.bytes = bytes;
  }

  /** Counts seconds in which the event loop ran: while it is blocked, nothing can arrive. */
  private startClock(): void {
    if (this.stopClock !== null || this.bytes === 0) return;
    this.seconds = 0;
    const tick = () => {
      this.seconds += 1;
      if (this.seconds >= LINE_SECONDS) this.turnAway();
      else this.stopClock = this.room.second(tick);
    };
    this.stopClock = this.room.second(tick);
  }

  private clearClock(): void {
    this.stopClock?.();
    this.stopClock = null;
  }
}

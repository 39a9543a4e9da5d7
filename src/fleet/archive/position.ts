import type { ReconnectingDatabase } from './reconnecting-database.ts';

/** The position in a stream up to which a database is complete. */
export interface StreamPosition {
  /** Its name and creation time. */
  readonly stream: string;
  floor(): number;
  /** Everything up to this position is stored. */
  note(sequence: number): Promise<void>;
  /** A new connection may lead to a database restored from a copy, whose state is unknown here. */
  isCurrent(): boolean;
}

/** Null if the signal aborts first. */
export async function openPosition(
  database: ReconnectingDatabase,
  stream: string,
  signal: AbortSignal,
): Promise<StreamPosition | null> {
  const read = await database.run(async (db) => {
    const [row] = await db.query('SELECT floor FROM hookline.streams WHERE stream = $1', [stream]);
    return { floor: Number(row?.floor ?? 0), connections: database.connections() };
  }, signal);
  if (read === null) return null;
  let { floor } = read;
  const isCurrent = () => database.connections() === read.connections;

  return {
    stream,
    floor: () => floor,
    isCurrent,
    async note(sequence) {
      if (sequence <= floor) return;
      await database.run(async (db) => {
        if (isCurrent()) await db.query(NOTE, [stream, sequence]);
      }, signal);
      floor = sequence;
    },
  };
}

const NOTE = `INSERT INTO hookline.streams (stream, floor) VALUES ($1, $2)
  ON CONFLICT (stream) DO UPDATE SET floor = greatest(streams.floor, excluded.floor)`;

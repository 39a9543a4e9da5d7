import type { ReconnectingDatabase } from './reconnecting-database.ts';

/** Up to where a database has everything of a stream. */
export interface StreamPosition {
  /** By its name and when it was made. */
  readonly stream: string;
  floor(): number;
  /** Everything up to there is stored. */
  note(sequence: number): Promise<void>;
  /** Behind another connection may be a database that was restored from a copy: of that, nothing is known here. */
  isCurrent(): boolean;
}

/** Null where the signal ends first. */
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

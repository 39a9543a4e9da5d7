-- Every event has its place in a chain, and the hash of its record and of the hash before it. A place is never given twice.
ALTER TABLE events ADD COLUMN link INTEGER;
ALTER TABLE events ADD COLUMN hash TEXT;

-- What was deleted on purpose (`forgotten`, `pruned`), or `lost` with a database that was damaged. The hash is that of the last link, so that the next one can still be checked.
CREATE TABLE chain_gaps (
  first_link INTEGER PRIMARY KEY,
  last_link INTEGER NOT NULL,
  hash TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  signature TEXT NOT NULL
) STRICT;

CREATE TABLE chain_checkpoints (
  link INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  signature TEXT NOT NULL
) STRICT;

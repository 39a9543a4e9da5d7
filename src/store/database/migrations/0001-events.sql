-- The key of a row is its place in the order of commits.
CREATE TABLE events (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL,
  session_id TEXT NOT NULL,
  type TEXT NOT NULL,
  native_event TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  prompt_number INTEGER NOT NULL,
  tool_number INTEGER NOT NULL,
  timestamp INTEGER NOT NULL,
  cwd TEXT,
  project_id TEXT,
  machine_id TEXT,
  user_id TEXT,
  agent_id TEXT,
  tool_name TEXT,
  tool_kind TEXT,
  tool_use_id TEXT,
  outcome TEXT,
  decision TEXT NOT NULL,
  latency_ms REAL NOT NULL,
  -- JSON from here on. The long ones are last: reading the columns before them does not touch their pages.
  rules TEXT NOT NULL,
  degraded TEXT NOT NULL,
  response TEXT NOT NULL,
  answer TEXT NOT NULL,
  opinions TEXT NOT NULL,
  event TEXT NOT NULL,
  native TEXT
) STRICT;

-- The session is first because it is asked for without its source; unique because it is a promise.
CREATE UNIQUE INDEX events_by_session ON events (session_id, source, sequence);
CREATE INDEX events_by_type ON events (type);

CREATE TABLE sessions (
  source TEXT NOT NULL,
  session_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  prompt_number INTEGER NOT NULL,
  tool_number INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  ended_at INTEGER,
  cwd TEXT,
  project_id TEXT,
  PRIMARY KEY (source, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE waiting_context (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  session_id TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE INDEX waiting_context_by_session ON waiting_context (source, session_id);

-- What the events tell, made from them after the answer. Everything here can be made again.
CREATE TABLE observations (
  row INTEGER PRIMARY KEY,
  event_row INTEGER NOT NULL,
  source TEXT NOT NULL,
  session_id TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  prompt_number INTEGER NOT NULL,
  tool_number INTEGER NOT NULL,
  agent_id TEXT,
  tool_use_id TEXT,
  kind TEXT NOT NULL,
  -- What of its kind: the operation on a file, the purpose of a command, the decision on a permission.
  action TEXT NOT NULL,
  outcome TEXT,
  exit_code INTEGER,
  -- Searched: what it is about, and what was said.
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  -- Words that no text has, so that a search for one agent's commands reads only the lists of those.
  tags TEXT GENERATED ALWAYS AS ('agent' || source || ' kind' || kind) VIRTUAL,
  detail TEXT NOT NULL
) STRICT;

CREATE INDEX observations_by_session ON observations (session_id, source);
CREATE INDEX observations_by_file ON observations (subject) WHERE kind = 'file';
CREATE INDEX observations_by_event ON observations (event_row);

CREATE VIRTUAL TABLE observation_text USING fts5 (
  subject, body, tags,
  content = 'observations', content_rowid = 'row',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
-- What is deleted is overwritten, in the index as in the table.
INSERT INTO observation_text (observation_text, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER observations_forgotten AFTER DELETE ON observations BEGIN
  INSERT INTO observation_text (observation_text, rowid, subject, body, tags)
  VALUES ('delete', old.row, old.subject, old.body, old.tags);
END;

-- How far the events have been observed.
CREATE TABLE observed (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  event_row INTEGER NOT NULL
) STRICT;
INSERT INTO observed (one, event_row) VALUES (1, 0);

-- What the agents' own transcripts say of a session.
CREATE TABLE transcripts (
  source TEXT NOT NULL,
  session_id TEXT NOT NULL,
  path TEXT NOT NULL,
  turns INTEGER NOT NULL,
  interrupts INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  cost_usd REAL,
  last_message TEXT,
  -- JSON: tokens by model, and the calls that no hook reported.
  models TEXT NOT NULL,
  gaps TEXT NOT NULL,
  PRIMARY KEY (source, session_id)
) STRICT, WITHOUT ROWID;

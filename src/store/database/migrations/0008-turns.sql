-- What is searched: a turn with its prompt, outcome, files and commands together. Made from the observations after the answer, in
-- small steps, and everything here can be made again.
CREATE TABLE turns (
  -- That of its first observation, so that turns are in the order of time whenever they were made.
  row INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  session_id TEXT NOT NULL,
  prompt_number INTEGER NOT NULL,
  project_id TEXT,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  prompt TEXT NOT NULL,
  outcome TEXT NOT NULL,
  files TEXT NOT NULL,
  commands TEXT NOT NULL,
  -- What else was said, asked, planned and changed.
  talk TEXT NOT NULL,
  -- The words in names: `rate limiter` of RateLimiter.
  parts TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX turns_by_session ON turns (session_id, source, prompt_number);

-- A turn is put together again with every few observations: it is read alone, not with the whole session.
DROP INDEX observations_by_session;
CREATE INDEX observations_by_turn ON observations (session_id, source, prompt_number);

CREATE VIRTUAL TABLE turn_text USING fts5 (
  prompt, outcome, files, commands, talk, parts,
  content = 'turns', content_rowid = 'row',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
-- Neither index has 'secure-delete': SQLite 3.45.1, which libsql 0.5.29 has, damages the index where one transaction deletes several
-- rows. Compaction rewrites both instead, so that nothing deleted stays in them. An earlier Hookline may have left a damaged one.
INSERT INTO observation_text (observation_text, rank) VALUES ('secure-delete', 0);
INSERT INTO observation_text (observation_text) VALUES ('rebuild');

CREATE TRIGGER turns_forgotten AFTER DELETE ON turns BEGIN
  INSERT INTO turn_text (turn_text, rowid, prompt, outcome, files, commands, talk, parts)
  VALUES ('delete', old.row, old.prompt, old.outcome, old.files, old.commands, old.talk, old.parts);
END;

-- How far the observations are in turns: all after `backlog_row` and up to `observation_row`. What was there before this table is worked
-- off from its end, when there is time.
CREATE TABLE turns_indexed (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  observation_row INTEGER NOT NULL,
  backlog_row INTEGER NOT NULL
) STRICT;
INSERT INTO turns_indexed (one, observation_row, backlog_row)
SELECT 1, coalesce(max(row), 0), coalesce(max(row), 0) FROM observations;

-- Turns that lost an observation since.
CREATE TABLE turns_due (
  session_id TEXT NOT NULL,
  source TEXT NOT NULL,
  prompt_number INTEGER NOT NULL,
  PRIMARY KEY (session_id, source, prompt_number)
) STRICT, WITHOUT ROWID;

-- The text goes at once; what is left of the turn is put together again later.
CREATE TRIGGER observations_of_turns_forgotten AFTER DELETE ON observations BEGIN
  INSERT OR IGNORE INTO turns_due (session_id, source, prompt_number)
  SELECT session_id, source, prompt_number FROM turns
  WHERE session_id = old.session_id AND source = old.source AND prompt_number = old.prompt_number;
  DELETE FROM turns
  WHERE session_id = old.session_id AND source = old.source AND prompt_number = old.prompt_number;
END;

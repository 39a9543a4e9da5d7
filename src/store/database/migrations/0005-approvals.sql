-- What waited for a person, and how it ended.
CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  event_id TEXT NOT NULL,
  source TEXT NOT NULL,
  session_id TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  settled_at INTEGER,
  approval TEXT NOT NULL
);
CREATE INDEX approvals_pending ON approvals (created_at) WHERE state = 'pending';
CREATE INDEX approvals_event ON approvals (event_id);

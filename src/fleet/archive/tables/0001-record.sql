-- Which fleet this is the record of. The id tells one database from a copy of another.
CREATE TABLE hookline.archive (
  one integer PRIMARY KEY CHECK (one = 1),
  id text NOT NULL,
  team text NOT NULL
);

-- Up to which place of a stream everything is here. A stream that was made again is another one.
CREATE TABLE hookline.streams (
  stream text PRIMARY KEY,
  floor bigint NOT NULL
);

CREATE TABLE hookline.machines (
  machine text PRIMARY KEY,
  name text
);

-- The columns of the table `events` of every machine, and where each row is from.
CREATE TABLE hookline.events (
  row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  machine text NOT NULL,
  -- The id, or its hash where that is long: an index takes no text of any length.
  message_id text NOT NULL,
  id text NOT NULL,
  source text NOT NULL,
  session_id text NOT NULL,
  type text NOT NULL,
  native_event text NOT NULL,
  sequence bigint NOT NULL,
  prompt_number bigint NOT NULL,
  tool_number bigint NOT NULL,
  timestamp bigint NOT NULL,
  cwd text,
  project_id text,
  machine_id text,
  user_id text,
  agent_id text,
  tool_name text,
  tool_kind text,
  tool_use_id text,
  outcome text,
  decision text NOT NULL,
  latency_ms double precision NOT NULL,
  -- JSON, as text and not as jsonb: that has no \u0000, and the hash is of the text as it was. Null where a record was too
  -- large to send with it: `left_out` names these.
  rules text NOT NULL,
  degraded text NOT NULL,
  response text,
  answer text,
  opinions text,
  event text,
  native text,
  link bigint NOT NULL,
  hash text NOT NULL,
  before text,
  left_out text NOT NULL,
  words tsvector NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (machine, message_id)
);

CREATE INDEX events_by_words ON hookline.events USING gin (words);
CREATE INDEX events_by_time ON hookline.events (timestamp);
CREATE INDEX events_by_machine ON hookline.events (machine, timestamp);
CREATE INDEX events_decided ON hookline.events (timestamp) WHERE decision <> 'none';
CREATE INDEX events_by_session ON hookline.events USING hash (session_id);

CREATE TABLE hookline.chain_gaps (
  machine text NOT NULL,
  first_link bigint NOT NULL,
  last_link bigint NOT NULL,
  hash text NOT NULL,
  reason text NOT NULL,
  at bigint NOT NULL,
  signature text NOT NULL,
  public_key text NOT NULL,
  PRIMARY KEY (machine, first_link, last_link, at)
);

CREATE TABLE hookline.chain_checkpoints (
  machine text NOT NULL,
  link bigint NOT NULL,
  hash text NOT NULL,
  at bigint NOT NULL,
  signature text NOT NULL,
  public_key text NOT NULL,
  PRIMARY KEY (machine, link, at)
);

-- Messages that are not valid records, kept for inspection.
CREATE TABLE hookline.refused (
  stream text NOT NULL,
  sequence bigint NOT NULL,
  subject text NOT NULL,
  reason text NOT NULL,
  body bytea NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (stream, sequence)
);

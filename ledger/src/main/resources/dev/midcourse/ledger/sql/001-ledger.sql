-- What is kept. One text for both stores: it is written for PostgreSQL, and for SQLite BIGINT is
-- read as INTEGER and COLLATE "C" as nothing (SQLite compares bytes anyway).
--
-- Times are nanoseconds since 1970-01-01T00:00Z. Enumerations are their names outside, in lower
-- case. What PostgreSQL and SQLite would take as an unknown is NULL: not said, not happened.

-- The newest cursor of the log. Whoever writes locks this row first, so that cursors grow in the
-- order of commits and only one transaction at a time decides anything.
CREATE TABLE counters (
  name  TEXT COLLATE "C" PRIMARY KEY,
  value BIGINT NOT NULL
);
INSERT INTO counters (name, value) VALUES ('cursor', 0);

CREATE TABLE runs (
  run_id           TEXT COLLATE "C" PRIMARY KEY,
  nr               BIGINT NOT NULL UNIQUE,  -- the order in which runs came, whatever the clock said
  state            TEXT NOT NULL,
  agent            TEXT NOT NULL,
  worker           TEXT NOT NULL,
  dir              TEXT NOT NULL,
  author_group     TEXT NOT NULL,
  author_origin    TEXT NOT NULL,
  pending          TEXT NOT NULL,
  most_attempts    BIGINT NOT NULL,
  asked_session_id TEXT,                    -- the session it was to go on with
  parent_run_id    TEXT,
  attempt          BIGINT NOT NULL,
  failures         BIGINT NOT NULL,
  not_before       BIGINT,
  turn             BIGINT NOT NULL,
  session_id       TEXT,                    -- the session it has
  lease_host       TEXT,
  lease_until      BIGINT,
  stop_asked       BOOLEAN NOT NULL,
  prompt_due       BOOLEAN NOT NULL,
  progress_phase   TEXT,
  progress_summary TEXT,
  progress_tool    TEXT,
  progress_seq     BIGINT,
  progress_at      BIGINT,
  needs            TEXT,
  input_tokens     BIGINT NOT NULL,
  output_tokens    BIGINT NOT NULL,
  micro_dollars    BIGINT NOT NULL,
  created_at       BIGINT NOT NULL,
  started_at       BIGINT,
  ended_at         BIGINT,
  result           TEXT
);
CREATE INDEX runs_live ON runs (nr) WHERE state IN ('queued', 'running');
CREATE INDEX runs_by_worker ON runs (worker, nr);
CREATE INDEX runs_by_state ON runs (state, nr);
CREATE INDEX runs_by_session ON runs (session_id, nr);
CREATE INDEX runs_by_end ON runs (ended_at);

-- The long texts of a run, apart from what changes at every step of it.
CREATE TABLE briefs (
  run_id   TEXT COLLATE "C" PRIMARY KEY REFERENCES runs (run_id) ON DELETE CASCADE,
  prompt   TEXT NOT NULL,
  dispatch TEXT
);

CREATE TABLE attempts (
  run_id       TEXT COLLATE "C" NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  number       BIGINT NOT NULL,
  host         TEXT NOT NULL,
  mark         TEXT NOT NULL,
  resumes      BOOLEAN NOT NULL,
  version      TEXT,
  capabilities TEXT,                        -- JSON
  pid          BIGINT NOT NULL,
  heard_to     BIGINT NOT NULL,
  memo         TEXT NOT NULL,
  started_at   BIGINT NOT NULL,
  ended_at     BIGINT,
  end_reason   TEXT,
  PRIMARY KEY (run_id, number)
);
CREATE INDEX attempts_unclosed ON attempts (host) WHERE ended_at IS NULL;

CREATE TABLE turns (
  run_id    TEXT COLLATE "C" NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  number    BIGINT NOT NULL,
  attempt   BIGINT NOT NULL,
  message   TEXT NOT NULL,
  steers    TEXT NOT NULL,
  taken     BOOLEAN NOT NULL,
  opened_at BIGINT NOT NULL,
  ended_at  BIGINT,
  how       TEXT,
  answer    TEXT,
  PRIMARY KEY (run_id, number)
);

CREATE TABLE steers (
  steer_id       TEXT COLLATE "C" PRIMARY KEY,
  run_id         TEXT COLLATE "C" NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  seq            BIGINT NOT NULL,
  author_group   TEXT NOT NULL,
  author_origin  TEXT NOT NULL,
  mode           TEXT NOT NULL,
  delivered_mode TEXT,
  on_unsupported TEXT NOT NULL,
  text           TEXT NOT NULL,
  edits          BIGINT NOT NULL,
  key            TEXT,
  keyed_content  TEXT,                      -- the digest of what was asked under the key
  expected_turn  BIGINT,
  expires_at     BIGINT,
  supersedes     TEXT,
  holder         BIGINT NOT NULL,
  rung           TEXT NOT NULL,             -- the highest in rungs
  rungs          TEXT NOT NULL,             -- JSON: [{rung, at, attempt, evidence}]
  carried_to     TEXT,
  stored_at      BIGINT NOT NULL,
  ended          TEXT,
  ended_at       BIGINT,
  reason         TEXT,
  UNIQUE (run_id, seq)
);
CREATE UNIQUE INDEX steers_one_key ON steers (author_group, key) WHERE key IS NOT NULL;
CREATE INDEX steers_open ON steers (run_id, seq) WHERE ended IS NULL;

CREATE TABLE asks (
  run_id    TEXT COLLATE "C" NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  ask_id    TEXT NOT NULL,
  attempt   BIGINT NOT NULL,
  kind      TEXT NOT NULL,
  question  TEXT NOT NULL,
  detail    TEXT NOT NULL,
  asked_at  BIGINT NOT NULL,
  answer    TEXT,
  closed_at BIGINT,
  PRIMARY KEY (run_id, ask_id)
);

-- The log. It may speak of a run that is not there: somebody was refused.
CREATE TABLE events (
  cursor BIGINT PRIMARY KEY,
  at     BIGINT NOT NULL,
  run_id TEXT COLLATE "C" NOT NULL,
  kind   TEXT NOT NULL,
  body   TEXT NOT NULL                      -- JSON: the event's own fields
);
CREATE INDEX events_by_run ON events (run_id, cursor);

CREATE TABLE keepsakes (
  name  TEXT COLLATE "C" PRIMARY KEY,
  value TEXT NOT NULL
);

-- Prompts that are given at certain times, and what became of each due time.

CREATE TABLE schedules (
  schedule_id     TEXT COLLATE "C" PRIMARY KEY,
  name            TEXT NOT NULL,
  conversation_id TEXT COLLATE "C",          -- NULL: a plain run of the worker
  worker          TEXT COLLATE "C" NOT NULL,
  agent           TEXT COLLATE "C",          -- NULL: the agent of the worker
  dir             TEXT,                      -- NULL: a folder of the run's own
  prompt          TEXT NOT NULL,
  timing          TEXT NOT NULL,             -- cron, once, every: which of the next columns are set
  cron            TEXT,
  once_at         BIGINT,
  every_nanos     BIGINT,
  anchor          BIGINT,
  zone            TEXT NOT NULL,
  missed          TEXT NOT NULL,
  check_command   TEXT,
  state           TEXT NOT NULL,
  author_group    TEXT COLLATE "C" NOT NULL,
  author_origin   TEXT NOT NULL,
  created_at      BIGINT NOT NULL,
  next_at         BIGINT                     -- set exactly while the state is active
);
CREATE INDEX schedules_by_state ON schedules (state, next_at);

-- The primary key is the guarantee that a due time has one effect.
CREATE TABLE schedule_runs (
  schedule_id TEXT COLLATE "C" NOT NULL REFERENCES schedules (schedule_id) ON DELETE CASCADE,
  due         BIGINT NOT NULL,
  fired_at    BIGINT NOT NULL,
  run_id      TEXT COLLATE "C",              -- NULL: nothing was started, for this reason
  reason      TEXT NOT NULL,
  PRIMARY KEY (schedule_id, due)
);
CREATE INDEX schedule_runs_by_run ON schedule_runs (run_id);
CREATE INDEX schedule_runs_by_time ON schedule_runs (fired_at);

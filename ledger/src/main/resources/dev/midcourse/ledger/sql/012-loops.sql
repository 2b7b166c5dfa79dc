-- Autopilot loops. The body has the whole loop as JSON; the other columns are what queries ask for.
CREATE TABLE loops (
  loop_id    TEXT COLLATE "C" PRIMARY KEY,
  phase      TEXT NOT NULL,
  worker     TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  ended_at   BIGINT,                         -- NULL: it goes on, or waits for a person
  body       TEXT NOT NULL
);
CREATE INDEX loops_by_end ON loops (ended_at, created_at);

-- The runs that a loop has ordered.
CREATE TABLE loop_runs (
  run_id  TEXT COLLATE "C" PRIMARY KEY,
  loop_id TEXT COLLATE "C" NOT NULL REFERENCES loops (loop_id) ON DELETE CASCADE
);
CREATE INDEX loop_runs_by_loop ON loop_runs (loop_id);

-- The steers of a loop, which are not yet, or not only, steers of a run.
CREATE TABLE loop_guidance (
  steer_id TEXT COLLATE "C" PRIMARY KEY,
  loop_id  TEXT COLLATE "C" NOT NULL REFERENCES loops (loop_id) ON DELETE CASCADE
);
CREATE INDEX loop_guidance_by_loop ON loop_guidance (loop_id);

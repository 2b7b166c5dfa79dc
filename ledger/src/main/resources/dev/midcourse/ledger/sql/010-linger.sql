-- A run with a linger stays running after its turn, and its agent waits for the next message.
ALTER TABLE runs ADD COLUMN linger BIGINT;                  -- nanoseconds; NULL: it ends with its last turn
ALTER TABLE runs ADD COLUMN idle_since BIGINT;              -- the end of the last turn, while the agent waits
ALTER TABLE runs ADD COLUMN idle_until BIGINT;
ALTER TABLE runs ADD COLUMN idled BIGINT NOT NULL DEFAULT 0; -- nanoseconds of earlier idle times

-- The runs that continue a run.
CREATE INDEX runs_by_parent ON runs (parent_run_id) WHERE parent_run_id IS NOT NULL;

-- The keys under which groups have dispatched runs. A group that repeats a key gets the run of that
-- key. A run has several keys if it was dispatched again after it had failed or was stopped.
CREATE TABLE dispatch_keys (
  author_group TEXT NOT NULL,
  key          TEXT NOT NULL,
  run_id       TEXT COLLATE "C" NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  content      TEXT,  -- the digest of the dispatch; NULL: compare with the dispatch of the run
  PRIMARY KEY (author_group, key)
);
CREATE INDEX dispatch_keys_by_run ON dispatch_keys (run_id);

-- Until now a keepsake 'dispatch.GROUP.RUN' had the key and the cursor of the log before the dispatch.
-- The key counts if the run was queued after that cursor.
INSERT INTO dispatch_keys (author_group, key, run_id)
SELECT r.author_group, substr(k.value, 1, strpos(k.value, ' ') - 1), r.run_id
FROM keepsakes k
JOIN runs r ON k.name = 'dispatch.' || r.author_group || '.' || r.run_id
WHERE strpos(k.value, ' ') > 1
  AND EXISTS (
    SELECT 1 FROM events e
    WHERE e.run_id = r.run_id
      AND e.kind IN ('run_queued', 'run_restarted')
      AND e.cursor > CAST(substr(k.value, strpos(k.value, ' ') + 1) AS BIGINT)
  );

DELETE FROM keepsakes WHERE substr(name, 1, 9) = 'dispatch.';

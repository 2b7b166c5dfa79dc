-- The loops that wait to land on one branch. The body has the whole queue as JSON.
CREATE TABLE merge_queues (
  host       TEXT COLLATE "C" NOT NULL,
  repository TEXT COLLATE "C" NOT NULL,
  base       TEXT COLLATE "C" NOT NULL,
  waiting    BIGINT NOT NULL,                -- how many loops
  body       TEXT NOT NULL,
  PRIMARY KEY (host, repository, base)
);

-- The outbox of forges: what loops write to a forge. An act is stored with the step that orders it.
CREATE TABLE loop_forge_acts (
  loop_id TEXT COLLATE "C" NOT NULL REFERENCES loops (loop_id) ON DELETE CASCADE,
  act_key TEXT COLLATE "C" NOT NULL,         -- what makes it the same act
  number  BIGINT NOT NULL,                   -- the order of the acts of a loop
  state   TEXT NOT NULL,                     -- pending, sent, done, refused
  body    TEXT NOT NULL,
  PRIMARY KEY (loop_id, act_key)
);

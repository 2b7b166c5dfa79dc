-- The buttons of cards, decided requests, and the direct chats of people.

CREATE TABLE card_buttons (
  button_id    TEXT COLLATE "C" PRIMARY KEY,
  outbound_id  TEXT COLLATE "C" NOT NULL,   -- the card; it may be pruned earlier
  meaning_kind TEXT NOT NULL,
  meaning      TEXT NOT NULL,               -- JSON
  approval_id  TEXT COLLATE "C",            -- the request that the button decides, if any
  created_at   BIGINT NOT NULL
);
CREATE INDEX card_buttons_by_approval ON card_buttons (approval_id) WHERE approval_id IS NOT NULL;
CREATE INDEX card_buttons_by_card ON card_buttons (outbound_id);
CREATE INDEX card_buttons_by_time ON card_buttons (created_at);

CREATE TABLE decided_approvals (
  approval_id TEXT COLLATE "C" PRIMARY KEY,
  result      TEXT NOT NULL,
  decided_by  TEXT NOT NULL,
  decided_at  BIGINT NOT NULL
);
CREATE INDEX decided_approvals_by_time ON decided_approvals (decided_at);

-- Where a person can be reached alone: the direct chat in which the identity wrote last.
CREATE TABLE direct_chats (
  channel       TEXT COLLATE "C" NOT NULL,
  handle        TEXT COLLATE "C" NOT NULL,
  platform_chat TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (channel, handle),
  FOREIGN KEY (channel, handle) REFERENCES identities (channel, handle) ON DELETE CASCADE
);

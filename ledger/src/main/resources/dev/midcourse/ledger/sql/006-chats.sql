-- People, chats, conversations, the messages in both directions, and what waits for a decision.

INSERT INTO counters (name, value) VALUES ('chat_message', 0), ('outbox', 0);

CREATE TABLE people (
  person_id  TEXT COLLATE "C" PRIMARY KEY,
  name       TEXT NOT NULL,
  zone       TEXT,                          -- NULL: the zone of the hub
  created_at BIGINT NOT NULL
);

CREATE TABLE identities (
  channel      TEXT COLLATE "C" NOT NULL,
  handle       TEXT COLLATE "C" NOT NULL,
  person_id    TEXT COLLATE "C" NOT NULL REFERENCES people (person_id) ON DELETE CASCADE,
  display_name TEXT NOT NULL,
  linked_at    BIGINT NOT NULL,
  PRIMARY KEY (channel, handle)
);
CREATE INDEX identities_by_person ON identities (person_id);

CREATE TABLE roles (
  person_id  TEXT COLLATE "C" NOT NULL REFERENCES people (person_id) ON DELETE CASCADE,
  role       TEXT NOT NULL,
  worker     TEXT COLLATE "C",              -- NULL: all workers
  granted_by TEXT,                          -- NULL: the command line
  granted_at BIGINT NOT NULL
);
-- NULL is never equal to NULL in a unique index, so a grant for all workers counts as worker ''.
CREATE UNIQUE INDEX roles_once ON roles (person_id, role, coalesce(worker, ''));

CREATE TABLE chats (
  chat_id               TEXT COLLATE "C" PRIMARY KEY,
  channel               TEXT COLLATE "C" NOT NULL,
  platform_id           TEXT COLLATE "C" NOT NULL,
  name                  TEXT,
  kind                  TEXT NOT NULL,
  threads               BOOLEAN NOT NULL,
  unknown_sender_policy TEXT NOT NULL,
  created_at            BIGINT NOT NULL,
  UNIQUE (channel, platform_id)
);

CREATE TABLE wirings (
  wiring_id              TEXT COLLATE "C" PRIMARY KEY,
  chat_id                TEXT COLLATE "C" NOT NULL REFERENCES chats (chat_id) ON DELETE CASCADE,
  worker                 TEXT COLLATE "C" NOT NULL,
  engage_mode            TEXT NOT NULL,
  engage_pattern         TEXT,              -- for engage_mode 'pattern' only
  sender_scope           TEXT NOT NULL,
  ignored_message_policy TEXT NOT NULL,
  session_mode           TEXT NOT NULL,
  priority               BIGINT NOT NULL,   -- the highest comes first
  on_live_run            TEXT NOT NULL,
  debounce               BIGINT NOT NULL,   -- nanoseconds
  created_at             BIGINT NOT NULL,
  UNIQUE (chat_id, worker)
);

CREATE TABLE conversations (
  conversation_id TEXT COLLATE "C" PRIMARY KEY,
  worker          TEXT COLLATE "C" NOT NULL,
  chat_id         TEXT COLLATE "C" REFERENCES chats (chat_id) ON DELETE CASCADE,  -- NULL: all chats
  thread          TEXT COLLATE "C",         -- NULL: all threads
  newest_run      TEXT COLLATE "C" REFERENCES runs (run_id) ON DELETE SET NULL,
  sticky          BOOLEAN NOT NULL,
  created_at      BIGINT NOT NULL
);
CREATE UNIQUE INDEX conversations_once
  ON conversations (worker, coalesce(chat_id, ''), coalesce(thread, ''));
CREATE INDEX conversations_by_chat ON conversations (chat_id);
CREATE INDEX conversations_by_time ON conversations (created_at, conversation_id);
CREATE INDEX conversations_by_run ON conversations (newest_run);

-- Every message that a channel delivered, once, with the decision about it. The chat may be deleted.
CREATE TABLE chat_messages (
  number           BIGINT PRIMARY KEY,      -- the order in which messages were stored
  channel          TEXT COLLATE "C" NOT NULL,
  update_key       TEXT COLLATE "C" NOT NULL,
  platform_chat    TEXT COLLATE "C" NOT NULL,
  platform_message TEXT COLLATE "C" NOT NULL,
  chat_id          TEXT COLLATE "C",
  body             TEXT NOT NULL,           -- JSON: the message
  decision         TEXT NOT NULL,           -- JSON: gates and actions
  sent_at          BIGINT NOT NULL,
  received_at      BIGINT NOT NULL,
  UNIQUE (channel, update_key)
);
CREATE INDEX chat_messages_by_ref
  ON chat_messages (channel, platform_chat, platform_message, number);
CREATE INDEX chat_messages_by_chat ON chat_messages (chat_id, number);
CREATE INDEX chat_messages_by_time ON chat_messages (received_at);

-- Messages that have gone into no prompt yet: context that woke nobody, and debounced messages.
CREATE TABLE waiting_messages (
  conversation_id TEXT COLLATE "C" NOT NULL
    REFERENCES conversations (conversation_id) ON DELETE CASCADE,
  waits_as        TEXT NOT NULL,            -- 'context' or 'debounced'
  number          BIGINT NOT NULL REFERENCES chat_messages (number) ON DELETE CASCADE,
  PRIMARY KEY (conversation_id, waits_as, number)
);
CREATE INDEX waiting_messages_by_number ON waiting_messages (number);

-- The runs to which a message of the platform belongs, of a person or of ours.
CREATE TABLE message_runs (
  channel          TEXT COLLATE "C" NOT NULL,
  platform_chat    TEXT COLLATE "C" NOT NULL,
  platform_message TEXT COLLATE "C" NOT NULL,
  run_id           TEXT COLLATE "C" NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  steer_id         TEXT COLLATE "C" REFERENCES steers (steer_id) ON DELETE CASCADE,
  PRIMARY KEY (channel, platform_chat, platform_message, run_id)
);
CREATE INDEX message_runs_by_run ON message_runs (run_id);
CREATE INDEX message_runs_by_steer ON message_runs (steer_id) WHERE steer_id IS NOT NULL;

-- Where the answers of a run go.
CREATE TABLE run_addresses (
  run_id          TEXT COLLATE "C" PRIMARY KEY REFERENCES runs (run_id) ON DELETE CASCADE,
  conversation_id TEXT COLLATE "C" NOT NULL
    REFERENCES conversations (conversation_id) ON DELETE CASCADE,
  channel         TEXT COLLATE "C" NOT NULL,
  platform_chat   TEXT COLLATE "C" NOT NULL,
  thread          TEXT COLLATE "C",
  question        TEXT                      -- the message of the platform that the run answers
);
CREATE INDEX run_addresses_by_conversation ON run_addresses (conversation_id);

CREATE TABLE pending_approvals (
  approval_id TEXT COLLATE "C" PRIMARY KEY,
  kind        TEXT NOT NULL,                -- 'unknown_sender' or 'unknown_chat'
  chat_id     TEXT COLLATE "C" NOT NULL REFERENCES chats (chat_id) ON DELETE CASCADE,
  sender      TEXT COLLATE "C",             -- CHANNEL:HANDLE
  sender_name TEXT NOT NULL,
  original    TEXT NOT NULL,                -- JSON: the message
  approver    TEXT,                         -- the person who got the card
  created_at  BIGINT NOT NULL,
  expires_at  BIGINT NOT NULL,
  CHECK (kind <> 'unknown_sender' OR sender IS NOT NULL)
);
CREATE UNIQUE INDEX pending_approvals_one_per_sender
  ON pending_approvals (chat_id, sender) WHERE kind = 'unknown_sender';
CREATE UNIQUE INDEX pending_approvals_one_per_chat
  ON pending_approvals (chat_id) WHERE kind = 'unknown_chat';

-- Messages to people. Those of one chat are sent by rank, then in the order of their numbers.
CREATE TABLE outbox (
  outbound_id   TEXT COLLATE "C" PRIMARY KEY,
  number        BIGINT NOT NULL UNIQUE,
  channel       TEXT COLLATE "C" NOT NULL,
  platform_chat TEXT COLLATE "C" NOT NULL,
  thread        TEXT COLLATE "C",
  content_kind  TEXT NOT NULL,
  content       TEXT NOT NULL,              -- JSON
  rank          BIGINT NOT NULL,
  slot          TEXT COLLATE "C",
  state         TEXT NOT NULL,
  tries         BIGINT NOT NULL,
  not_before    BIGINT,
  platform_id   TEXT,
  run_id        TEXT COLLATE "C" REFERENCES runs (run_id) ON DELETE SET NULL,
  problem       TEXT,
  created_at    BIGINT NOT NULL,
  sent_at       BIGINT
);
CREATE INDEX outbox_open
  ON outbox (channel, platform_chat, rank, number) WHERE state IN ('queued', 'sending');
CREATE INDEX outbox_due ON outbox (channel, not_before) WHERE state = 'queued';
CREATE INDEX outbox_by_state ON outbox (state, number);
CREATE INDEX outbox_by_slot ON outbox (channel, platform_chat, slot, number) WHERE slot IS NOT NULL;
CREATE INDEX outbox_by_run ON outbox (run_id, number);
CREATE INDEX outbox_by_chat ON outbox (channel, platform_chat, number);
CREATE INDEX outbox_by_time ON outbox (created_at);

-- Codes that link accounts to people. Only the digest of a code is stored.
CREATE TABLE link_codes (
  digest     TEXT COLLATE "C" PRIMARY KEY,
  person_id  TEXT COLLATE "C" NOT NULL REFERENCES people (person_id) ON DELETE CASCADE,
  expires_at BIGINT NOT NULL,
  tries_left BIGINT NOT NULL
);
CREATE INDEX link_codes_by_person ON link_codes (person_id);

-- Questions of agents to the people of their conversations.
CREATE TABLE chat_questions (
  question_id TEXT COLLATE "C" PRIMARY KEY,
  run_id      TEXT COLLATE "C" NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  card        TEXT COLLATE "C" NOT NULL UNIQUE,
  asked_at    BIGINT NOT NULL,
  body        TEXT NOT NULL                 -- JSON: the question, with its answer
);
CREATE INDEX chat_questions_by_run ON chat_questions (run_id, asked_at);
CREATE INDEX chat_questions_by_time ON chat_questions (asked_at);

CREATE TABLE question_buttons (
  button_id   TEXT COLLATE "C" PRIMARY KEY,
  question_id TEXT COLLATE "C" NOT NULL
    REFERENCES chat_questions (question_id) ON DELETE CASCADE
);
CREATE INDEX question_buttons_by_question ON question_buttons (question_id);

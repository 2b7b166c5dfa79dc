-- The tables that dashboards and scripts of earlier chat assistants ask, as views with their names and
-- spellings. What is not known here is NULL. Times are ISO-8601 in UTC, as text. A user is CHANNEL:HANDLE, so
-- a person with two accounts has two rows in agent_group_members.

CREATE VIEW messaging_groups AS
SELECT
  chat_id AS id,
  channel AS channel_type,
  platform_id,
  name,
  CASE WHEN kind = 'group' THEN 1 ELSE 0 END AS is_group,
  unknown_sender_policy,
  CAST(NULL AS TEXT) AS denied_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000000.0, 'unixepoch') AS created_at
FROM chats;

CREATE VIEW messaging_group_agents AS
SELECT
  wiring_id AS id,
  chat_id AS messaging_group_id,
  worker AS agent_group_id,
  replace(engage_mode, '_', '-') AS engage_mode,
  engage_pattern,
  sender_scope,
  ignored_message_policy,
  CASE session_mode
    WHEN 'per_worker' THEN 'agent-shared'
    ELSE replace(session_mode, '_', '-')
  END AS session_mode,
  priority,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000000.0, 'unixepoch') AS created_at
FROM wirings;

CREATE VIEW agent_group_members AS
SELECT
  i.channel || ':' || i.handle AS user_id,
  r.worker AS agent_group_id,
  (SELECT g.channel || ':' || g.handle FROM identities g
   WHERE g.person_id = r.granted_by ORDER BY g.linked_at, g.channel, g.handle LIMIT 1) AS added_by,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.granted_at / 1000000000.0, 'unixepoch') AS added_at
FROM roles r
JOIN identities i ON i.person_id = r.person_id
WHERE r.role = 'member';

CREATE VIEW pending_sender_approvals AS
SELECT
  p.approval_id AS id,
  p.chat_id AS messaging_group_id,
  (SELECT w.worker FROM wirings w WHERE w.chat_id = p.chat_id
   ORDER BY w.priority DESC, w.created_at, w.wiring_id LIMIT 1) AS agent_group_id,
  p.sender AS sender_identity,
  p.sender_name,
  json_object(
    'channelType', json_extract(p.original, '$.ref.channel'),
    'platformId', json_extract(p.original, '$.ref.chat'),
    'threadId', json_extract(p.original, '$.thread'),
    'message', json_object(
      'id', json_extract(p.original, '$.ref.message'),
      'kind', 'chat',
      'content', json_object(
        'text', json_extract(p.original, '$.text'),
        'sender', json_extract(p.original, '$.sender.name'),
        'senderId', json_extract(p.original, '$.sender.identity')),
      'timestamp', json_extract(p.original, '$.sent_at'))) AS original_message,
  (SELECT a.channel || ':' || a.handle FROM identities a
   WHERE a.person_id = p.approver ORDER BY a.linked_at, a.channel, a.handle LIMIT 1)
    AS approver_user_id,
  strftime('%Y-%m-%dT%H:%M:%fZ', p.created_at / 1000000000.0, 'unixepoch') AS created_at,
  CAST(NULL AS TEXT) AS title,
  CAST(NULL AS TEXT) AS options_json
FROM pending_approvals p
WHERE p.kind = 'unknown_sender';

CREATE VIEW pending_channel_approvals AS
SELECT
  p.approval_id AS id,
  p.chat_id AS messaging_group_id,
  CAST(NULL AS TEXT) AS agent_group_id,
  p.sender AS sender_identity,
  p.sender_name,
  json_object(
    'channelType', json_extract(p.original, '$.ref.channel'),
    'platformId', json_extract(p.original, '$.ref.chat'),
    'threadId', json_extract(p.original, '$.thread'),
    'message', json_object(
      'id', json_extract(p.original, '$.ref.message'),
      'kind', 'chat',
      'content', json_object(
        'text', json_extract(p.original, '$.text'),
        'sender', json_extract(p.original, '$.sender.name'),
        'senderId', json_extract(p.original, '$.sender.identity')),
      'timestamp', json_extract(p.original, '$.sent_at'))) AS original_message,
  (SELECT a.channel || ':' || a.handle FROM identities a
   WHERE a.person_id = p.approver ORDER BY a.linked_at, a.channel, a.handle LIMIT 1)
    AS approver_user_id,
  strftime('%Y-%m-%dT%H:%M:%fZ', p.created_at / 1000000000.0, 'unixepoch') AS created_at,
  CAST(NULL AS TEXT) AS title,
  CAST(NULL AS TEXT) AS options_json
FROM pending_approvals p
WHERE p.kind = 'unknown_chat';

-- A person names a message by the id that its platform shows.
CREATE INDEX chat_messages_by_platform_message ON chat_messages (platform_message, number);

-- Why a turn was opened: task, continue, steers, repair or agent.
--
-- Earlier versions did not store it, so it is read once from the opening message. A message is
-- made of the frames of some steers, then at most one text of ours (the prompt, or the order to go
-- on or to repair), then frames again, with an empty line between the parts. A message that does
-- not begin with a frame begins with the text of ours.

ALTER TABLE turns ADD COLUMN purpose TEXT NOT NULL DEFAULT 'steers';

UPDATE turns SET purpose = CASE
  WHEN message = '' THEN 'agent'
  WHEN message LIKE 'Your work is not accepted yet: the completion does not hold.%' THEN 'repair'
  WHEN message LIKE 'Your process ended before the task was done and was started again%' THEN 'continue'
  WHEN message NOT LIKE '[midcourse steer %' THEN 'task'
  WHEN number = 1 THEN 'task'
  WHEN message LIKE '%]

Your process ended before the task was done and was started again%' THEN 'continue'
  WHEN (SELECT replace(message || '

[midcourse steer ', ']

' || b.prompt || '

[midcourse steer ', '') <> message || '

[midcourse steer ' FROM briefs b WHERE b.run_id = turns.run_id) THEN 'task'
  ELSE 'steers'
END;

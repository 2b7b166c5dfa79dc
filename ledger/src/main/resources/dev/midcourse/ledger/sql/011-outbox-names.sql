-- A platform may report later, by its own id, that it did not deliver a message.
CREATE INDEX outbox_by_platform_id
  ON outbox (channel, platform_id, number) WHERE platform_id IS NOT NULL;

package dev.midcourse.core.chat.person;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Somebody who writes to agents. One person can have several identities.
 *
 * @param name the name for display; it gives no right
 * @param zone the time zone of the person; empty for the zone of the hub
 */
public record Person(PersonId id, String name, Optional<ZoneId> zone, Instant createdAt) {}

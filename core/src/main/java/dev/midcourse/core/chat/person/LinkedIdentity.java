package dev.midcourse.core.chat.person;

import java.time.Instant;

/** An identity and the person to whom it belongs. An identity belongs to one person at most. */
public record LinkedIdentity(
    Identity identity, PersonId person, String displayName, Instant linkedAt) {}

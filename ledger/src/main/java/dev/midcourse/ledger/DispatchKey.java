package dev.midcourse.ledger;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import java.util.Optional;

/**
 * The key under which a group has dispatched a run; unique for each group.
 *
 * @param content the digest of the dispatch; empty if an earlier version stored the key without it
 */
public record DispatchKey(
    GroupName group, IdempotencyKey key, RunId run, Optional<String> content) {}

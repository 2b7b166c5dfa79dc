/**
 * Puts messages to people into the outbox of the ledger. Not here: sending them ({@code
 * channels.outbox}).
 */
@NullMarked
package dev.midcourse.engine.outbox;

import org.jspecify.annotations.NullMarked;

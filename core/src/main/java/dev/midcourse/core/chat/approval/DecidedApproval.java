package dev.midcourse.core.chat.approval;

import java.time.Instant;

/**
 * A request that was decided. It is kept, so that a second click is told who decided.
 *
 * @param result what was decided, as one sentence
 * @param by the name of the person who decided
 */
public record DecidedApproval(ApprovalId id, String result, String by, Instant at) {}

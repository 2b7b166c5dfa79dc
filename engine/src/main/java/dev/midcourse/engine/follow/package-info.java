/**
 * Followers of the log: changes that other hosts stored, and notices for leads.
 *
 * <p>Each follower has its own cursor and retries after an error. Nothing in here writes to an
 * agent.
 */
@NullMarked
package dev.midcourse.engine.follow;

import org.jspecify.annotations.NullMarked;

/**
 * Gerrit: changes, votes, comments and submission over its REST interface, and what a push needs so
 * that it becomes a patch set of one change. A vote on {@code Code-Review} is a review, a vote on a
 * label whose name ends in {@code Verified} is a check. Not here: the push itself.
 */
@NullMarked
package dev.midcourse.autopilot.forge.gerrit;

import org.jspecify.annotations.NullMarked;

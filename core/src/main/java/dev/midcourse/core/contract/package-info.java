/**
 * The contract between a lead and a worker: the dispatch that requests work, and the completion
 * that reports it. The readers take JSON values and return every problem; they do not throw.
 */
@NullMarked
package dev.midcourse.core.contract;

import org.jspecify.annotations.NullMarked;

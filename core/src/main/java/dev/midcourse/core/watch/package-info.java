/** Policies for progress, notices, retries and silent agents. */
@NullMarked
package dev.midcourse.core.watch;

import org.jspecify.annotations.NullMarked;

/** The append-only log's entries: everything a person can see comes from these. */
@NullMarked
package dev.midcourse.core.event;

import org.jspecify.annotations.NullMarked;

/**
 * Local times: names of time zones, and times as people and agents write and read them. When a
 * schedule is due is not here; see {@code core.schedule}.
 */
@NullMarked
package dev.midcourse.core.time;

import org.jspecify.annotations.NullMarked;

/** What happens: supervisors, sweep, recovery, schedules. */
@NullMarked
package dev.midcourse.engine;

import org.jspecify.annotations.NullMarked;

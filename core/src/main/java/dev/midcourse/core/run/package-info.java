/** A run: its spec, its states, and the only ways from one to the next. */
@NullMarked
package dev.midcourse.core.run;

import org.jspecify.annotations.NullMarked;

/** Progress and silence: what is worth storing, when a run is quiet, when it is stuck. */
@NullMarked
package dev.midcourse.core.watch;

import org.jspecify.annotations.NullMarked;

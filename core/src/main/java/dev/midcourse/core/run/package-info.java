/** Runs: their order, their state and the rules that change it; attempts, turns and questions. */
@NullMarked
package dev.midcourse.core.run;

import org.jspecify.annotations.NullMarked;

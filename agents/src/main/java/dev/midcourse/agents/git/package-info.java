/** Git checkouts of runs: creates them, inspects their real state, and returns their changes. */
@NullMarked
package dev.midcourse.agents.git;

import org.jspecify.annotations.NullMarked;

/** The git of the runs: a checkout for each, and what is really in it. */
@NullMarked
package dev.midcourse.agents.git;

import org.jspecify.annotations.NullMarked;

/**
 * Git checkouts of runs: creates them, inspects their real state, returns their changes, and
 * repairs them. {@code PrivateRepository} is the git folder of an agent in a sandbox; {@code
 * ObjectView} is how the hub compares commits.
 */
@NullMarked
package dev.midcourse.agents.git;

import org.jspecify.annotations.NullMarked;

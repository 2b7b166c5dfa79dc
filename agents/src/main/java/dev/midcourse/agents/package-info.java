/** Agents: a package per agent, process trees, sandboxes. */
@NullMarked
package dev.midcourse.agents;

import org.jspecify.annotations.NullMarked;

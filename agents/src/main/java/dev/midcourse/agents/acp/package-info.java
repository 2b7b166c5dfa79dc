/** The driver of every agent that implements the Agent Client Protocol, version 1. */
@NullMarked
package dev.midcourse.agents.acp;

import org.jspecify.annotations.NullMarked;

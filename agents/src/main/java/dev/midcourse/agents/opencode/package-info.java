/**
 * OpenCode, driven as a server on this machine: what is sent goes out over HTTP, what is heard is
 * its session's durable log, read by sequence number.
 */
@NullMarked
package dev.midcourse.agents.opencode;

import org.jspecify.annotations.NullMarked;

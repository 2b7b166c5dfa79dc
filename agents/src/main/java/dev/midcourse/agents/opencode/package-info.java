/**
 * The driver of OpenCode, which runs as a server on this machine. Requests are sent over HTTP.
 * Events come from the durable log of the session, which is read by sequence number.
 */
@NullMarked
package dev.midcourse.agents.opencode;

import org.jspecify.annotations.NullMarked;

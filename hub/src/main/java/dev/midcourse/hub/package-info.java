/** The doors: HTTP with server-sent events, web page, MCP, file mailboxes. */
@NullMarked
package dev.midcourse.hub;

import org.jspecify.annotations.NullMarked;

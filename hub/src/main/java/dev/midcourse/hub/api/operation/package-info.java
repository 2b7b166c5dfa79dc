/**
 * The one implementation of each use case, for HTTP, MCP and file mailboxes. Not here: the rules
 * ({@code core}), and routes ({@code hub.api}).
 */
@NullMarked
package dev.midcourse.hub.api.operation;

import org.jspecify.annotations.NullMarked;

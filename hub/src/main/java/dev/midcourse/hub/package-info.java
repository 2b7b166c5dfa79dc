/**
 * The hub: one process that starts the ledger, the engine and the interfaces (HTTP, web page, MCP,
 * file mailboxes), and stops them in order.
 *
 * <p>The interfaces are in the packages below. They translate; rules are in {@code core}.
 */
@NullMarked
package dev.midcourse.hub;

import org.jspecify.annotations.NullMarked;

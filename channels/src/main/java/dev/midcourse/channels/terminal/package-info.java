/**
 * The channel of people at a terminal of this machine. The hub itself is the platform: messages are
 * stored in the ledger, and the clients read them from here. Not here: the HTTP routes ({@code
 * hub}) and the client ({@code cli}).
 */
@NullMarked
package dev.midcourse.channels.terminal;

import org.jspecify.annotations.NullMarked;

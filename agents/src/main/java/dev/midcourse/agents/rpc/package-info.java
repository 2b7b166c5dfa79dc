/**
 * A stateless codec for JSON-RPC over an agent's standard input and output. There is no table of
 * open requests that must survive a hub, because every id of the hub contains the kind and the
 * subject of its call.
 */
@NullMarked
package dev.midcourse.agents.rpc;

import org.jspecify.annotations.NullMarked;

/**
 * JSON-RPC as agents speak it over their standard input and output, as a codec without state: no
 * table of open requests has to survive a hub, because every id of ours says what it asked.
 */
@NullMarked
package dev.midcourse.agents.rpc;

import org.jspecify.annotations.NullMarked;

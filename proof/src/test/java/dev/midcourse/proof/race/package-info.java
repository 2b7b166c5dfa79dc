/**
 * Race tests: steers, stops and edits at the same moment, two hubs with one store, a clock that
 * jumps. A recorder records the messages to the agents independently of the ledger.
 */
@NullMarked
package dev.midcourse.proof.race;

import org.jspecify.annotations.NullMarked;

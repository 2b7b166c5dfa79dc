/**
 * Races: steers, stops and changes of mind at the same moment, two hubs at one store, a clock that
 * jumps. What the agents were told is witnessed apart from the ledger.
 */
@NullMarked
package dev.midcourse.proof.race;

import org.jspecify.annotations.NullMarked;

/**
 * What the tests of all forges share: {@link dev.midcourse.autopilot.forge.ForgeSuite}, what it
 * needs of a forge, and faults of the network.
 */
@NullMarked
package dev.midcourse.autopilot.forge;

import org.jspecify.annotations.NullMarked;

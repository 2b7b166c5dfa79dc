/** The adapter of Gerrit against a real Gerrit. */
@NullMarked
package dev.midcourse.autopilot.forge.gerrit;

import org.jspecify.annotations.NullMarked;

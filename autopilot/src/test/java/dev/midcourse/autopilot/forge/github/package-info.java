/** Tests of GitHub, and GitHub on this machine. */
@NullMarked
package dev.midcourse.autopilot.forge.github;

import org.jspecify.annotations.NullMarked;

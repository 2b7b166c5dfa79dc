/** The adapter of GitLab against a fake, which a client of other people checks. */
@NullMarked
package dev.midcourse.autopilot.forge.gitlab;

import org.jspecify.annotations.NullMarked;

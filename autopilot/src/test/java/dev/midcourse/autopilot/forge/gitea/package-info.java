/** The adapter of Gitea and Forgejo against a fake, which clients of other people check. */
@NullMarked
package dev.midcourse.autopilot.forge.gitea;

import org.jspecify.annotations.NullMarked;

/**
 * What a loop knows of a forge (GitHub, GitLab, Gitea, Forgejo, Gerrit): its change, reviews,
 * threads and checks as one snapshot, and the acts that write to it. Not here: requests to a forge
 * ({@code autopilot.forge}), and what a loop does with a snapshot ({@code core.loop.step}).
 */
@NullMarked
package dev.midcourse.core.loop.forge;

import org.jspecify.annotations.NullMarked;

/**
 * Gitea and Forgejo: pull requests, reviews, commit statuses and merging over their REST interface,
 * and the proof that a webhook comes from them. What a version can do is data ({@link
 * dev.midcourse.autopilot.forge.gitea.GiteaVersion}). Neither has threads in its interface:
 * comments on the same line are one thread, as on their page.
 */
@NullMarked
package dev.midcourse.autopilot.forge.gitea;

import org.jspecify.annotations.NullMarked;

/**
 * GitLab: merge requests, discussions, approvals, pipelines and merging over its REST interface,
 * and the proof that a webhook comes from it. GitLab does not say which commit an approval is
 * about: it is taken from the times of the versions of the merge request.
 */
@NullMarked
package dev.midcourse.autopilot.forge.gitlab;

import org.jspecify.annotations.NullMarked;

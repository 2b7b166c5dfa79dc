/**
 * GitHub, of github.com and of an own server: pull requests, reviews, threads, checks, merges, and
 * the ways to sign in. Reads REST with ETags, and GraphQL for what REST does not have: threads and
 * whether they are resolved, drafts, auto-merge, the queue.
 */
@NullMarked
package dev.midcourse.autopilot.forge.github;

import org.jspecify.annotations.NullMarked;

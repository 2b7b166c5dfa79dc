/**
 * Requests to a forge over HTTP: one {@link ForgeClient} for each forge, with its cache of answers,
 * its limits and the order of its writes; pages; signatures of webhooks. Knows no forge. Not here:
 * what the requests mean (the package of each forge).
 */
@NullMarked
package dev.midcourse.autopilot.forge.http;

import org.jspecify.annotations.NullMarked;

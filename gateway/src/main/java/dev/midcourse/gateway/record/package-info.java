/**
 * Records of requests: observes exchanges, reads the copies, and appends what they say to a file
 * per attempt. The routes of attempts are files too.
 *
 * <p>The connections are not in here; see {@code gateway.pump}.
 */
@NullMarked
package dev.midcourse.gateway.record;

import org.jspecify.annotations.NullMarked;

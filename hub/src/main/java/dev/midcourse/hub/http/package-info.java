/**
 * HTTP/1.1 on a Unix socket and on TCP: connections with deadlines, who calls, which route, one
 * form of error. Knows nothing of runs and steers.
 */
@NullMarked
package dev.midcourse.hub.http;

import org.jspecify.annotations.NullMarked;

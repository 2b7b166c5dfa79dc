/**
 * Requests to platforms over HTTP and web sockets, and requests of platforms to the hub. Knows no
 * platform.
 */
@NullMarked
package dev.midcourse.channels.http;

import org.jspecify.annotations.NullMarked;

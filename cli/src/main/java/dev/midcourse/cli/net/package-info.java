/** A small HTTP/1.1 client over a Unix socket or the loopback, with server-sent events. */
@NullMarked
package dev.midcourse.cli.net;

import org.jspecify.annotations.NullMarked;

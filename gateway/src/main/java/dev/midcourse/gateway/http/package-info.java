/**
 * HTTP/1.1 as bytes: heads are parsed, bodies are passed on as they come.
 *
 * <p>Connecting and routing are not in here; see {@code gateway.pump}.
 */
@NullMarked
package dev.midcourse.gateway.http;

import org.jspecify.annotations.NullMarked;

/** Client of the hub: requests, event feeds, starting the hub, and typed views of its responses. */
@NullMarked
package dev.midcourse.cli.client;

import org.jspecify.annotations.NullMarked;

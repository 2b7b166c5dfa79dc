/**
 * The JSON form of updates and requests for programs of other people: webhooks and channel
 * programs. Its schema is {@code docs/webhook.schema.json}.
 *
 * <p>Not here: how the JSON is carried.
 */
@NullMarked
package dev.midcourse.channels.wire;

import org.jspecify.annotations.NullMarked;

/**
 * How the kinds of channels, such as Telegram, are described, configured, checked and opened. Each
 * kind is in a package of its own and implements {@link dev.midcourse.channels.kind.ChannelKind}.
 *
 * <p>Not here: the settings file, which the hub reads and passes as {@link
 * dev.midcourse.channels.kind.ChannelConfig}.
 */
@NullMarked
package dev.midcourse.channels.kind;

import org.jspecify.annotations.NullMarked;

/**
 * What Telegram delivers, by long poll or webhook: sessions, stored position, albums, clicks, and
 * readers of its JSON. Not here: what a message means ({@code core.chat.route}).
 */
@NullMarked
package dev.midcourse.channels.telegram.receive;

import org.jspecify.annotations.NullMarked;

/**
 * Messages of people as a channel delivers them. Not here: what a message means ({@code
 * core.chat.route}).
 */
@NullMarked
package dev.midcourse.core.chat.inbound;

import org.jspecify.annotations.NullMarked;

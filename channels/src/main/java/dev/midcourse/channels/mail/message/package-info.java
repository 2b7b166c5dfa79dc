/**
 * Reads one mail: its text without quotes, the proof of its sender, delivery reports, and the
 * headers that show an automatic mail. Not here: threads, and connections to servers ({@code
 * channels.mail}).
 */
@NullMarked
package dev.midcourse.channels.mail.message;

import org.jspecify.annotations.NullMarked;

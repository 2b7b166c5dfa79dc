/**
 * Sends the messages of the outbox: one sender for each channel, in the order of each chat. Not
 * here: the calls of a platform ({@code channels} and its other packages), and what is sent to whom
 * ({@code engine}).
 */
@NullMarked
package dev.midcourse.channels.outbox;

import org.jspecify.annotations.NullMarked;

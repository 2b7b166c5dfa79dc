/**
 * A chat platform in memory for tests of conversations: it has every feature of a channel, records
 * every request, and has faults by script. Also the signature of the webhook channel.
 */
@NullMarked
package dev.midcourse.proof.chat;

import org.jspecify.annotations.NullMarked;

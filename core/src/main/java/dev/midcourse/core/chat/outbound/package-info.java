/** Messages to people, as they wait in the outbox. Not here: sending them ({@code channels}). */
@NullMarked
package dev.midcourse.core.chat.outbound;

import org.jspecify.annotations.NullMarked;

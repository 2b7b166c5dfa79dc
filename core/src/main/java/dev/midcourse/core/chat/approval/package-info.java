/**
 * Requests to let an unknown sender or an unknown chat in, and who may decide them. Not here:
 * sending the cards.
 */
@NullMarked
package dev.midcourse.core.chat.approval;

import org.jspecify.annotations.NullMarked;

/**
 * Codes by which people link their accounts. Not here: carrying the command {@code /link} out
 * ({@code engine.conversation}).
 */
@NullMarked
package dev.midcourse.core.chat.link;

import org.jspecify.annotations.NullMarked;

/**
 * The buttons of cards and what a click on each of them means. Not here: sending cards, and the
 * answers of questions ({@code core.chat.question}).
 */
@NullMarked
package dev.midcourse.core.chat.card;

import org.jspecify.annotations.NullMarked;

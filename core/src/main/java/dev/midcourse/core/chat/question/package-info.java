/**
 * Questions that an agent asks the people of its conversation, and who may answer them. Not here:
 * sending the card, and the tool that waits for the answer.
 */
@NullMarked
package dev.midcourse.core.chat.question;

import org.jspecify.annotations.NullMarked;

/** The chat with workers at a terminal: messages as they come, and messages as they are typed. */
@NullMarked
package dev.midcourse.cli.chat;

import org.jspecify.annotations.NullMarked;

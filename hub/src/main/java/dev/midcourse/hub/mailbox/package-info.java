/** Doors made of files: what groups ask for in their folders, and what they are told there. */
@NullMarked
package dev.midcourse.hub.mailbox;

import org.jspecify.annotations.NullMarked;

/** All configured channels together: starts and closes them and the sender of the outbox. */
@NullMarked
package dev.midcourse.channels.catalogue;

import org.jspecify.annotations.NullMarked;

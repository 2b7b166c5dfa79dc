/** Tests of the channel. Not here: tests with other channels. */
@NullMarked
package dev.midcourse.channels.mail;

import org.jspecify.annotations.NullMarked;

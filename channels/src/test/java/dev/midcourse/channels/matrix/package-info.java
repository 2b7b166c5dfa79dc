/** Tests of the channel. Not here: tests with other channels. */
@NullMarked
package dev.midcourse.channels.matrix;

import org.jspecify.annotations.NullMarked;

/** Views of a live run: its events as they happen and, at a terminal, steers as they are typed. */
@NullMarked
package dev.midcourse.cli.live;

import org.jspecify.annotations.NullMarked;

/** Staying with a run: its news as they come and, at a terminal, steers as they are typed. */
@NullMarked
package dev.midcourse.cli.live;

import org.jspecify.annotations.NullMarked;

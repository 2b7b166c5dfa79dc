/** How runs, steers and events are told to people: one wording for every command. */
@NullMarked
package dev.midcourse.cli.story;

import org.jspecify.annotations.NullMarked;

/** The web page: files that come with the program. */
@NullMarked
package dev.midcourse.hub.page;

import org.jspecify.annotations.NullMarked;

/**
 * Serves the files of the web page, which are resources of this module.
 *
 * <p>The page calls the same API as every other client.
 */
@NullMarked
package dev.midcourse.hub.page;

import org.jspecify.annotations.NullMarked;

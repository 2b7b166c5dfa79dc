/** The web page in a real browser, in front of a real hub with the rehearsal agent. */
@NullMarked
package dev.midcourse.proof.page;

import org.jspecify.annotations.NullMarked;

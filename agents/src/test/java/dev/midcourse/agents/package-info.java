/** What the tests of all agents share. */
@NullMarked
package dev.midcourse.agents;

import org.jspecify.annotations.NullMarked;

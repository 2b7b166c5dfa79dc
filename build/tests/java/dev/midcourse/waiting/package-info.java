/** Defaults of waits in the tests of all modules. Not here: anything that one module tests. */
@NullMarked
package dev.midcourse.waiting;

import org.jspecify.annotations.NullMarked;

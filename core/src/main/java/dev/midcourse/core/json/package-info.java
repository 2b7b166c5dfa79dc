/**
 * JSON without a library: the value, a strict reader, a writer. The command line and the rehearsal
 * agent start faster with this package than with Jackson.
 */
@NullMarked
package dev.midcourse.core.json;

import org.jspecify.annotations.NullMarked;

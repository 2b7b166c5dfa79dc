/** What commands look like: their options and operands, how they are read, explained, completed. */
@NullMarked
package dev.midcourse.cli.spec;

import org.jspecify.annotations.NullMarked;

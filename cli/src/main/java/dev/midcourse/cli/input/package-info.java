/**
 * Reads the input of a command: text from arguments, standard input, files or an editor, and
 * numbers.
 *
 * <p>Parsing of options is in {@code cli.spec}.
 */
@NullMarked
package dev.midcourse.cli.input;

import org.jspecify.annotations.NullMarked;

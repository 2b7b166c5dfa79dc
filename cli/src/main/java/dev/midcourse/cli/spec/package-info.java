/** The declaration of commands, and the parser, the help and the completion made from it. */
@NullMarked
package dev.midcourse.cli.spec;

import org.jspecify.annotations.NullMarked;

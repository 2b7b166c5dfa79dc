/** The hub as commands see it: ask it, listen to it, start it, and read what it says. */
@NullMarked
package dev.midcourse.cli.client;

import org.jspecify.annotations.NullMarked;

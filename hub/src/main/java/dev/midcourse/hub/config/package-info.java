/** The settings file as text: strict tables that say where they were written. */
@NullMarked
package dev.midcourse.hub.config;

import org.jspecify.annotations.NullMarked;

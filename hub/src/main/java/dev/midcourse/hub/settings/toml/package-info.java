/**
 * A settings file as tables with typed reads, whose errors name file, line and rule. Not here:
 * which settings there are.
 */
@NullMarked
package dev.midcourse.hub.settings.toml;

import org.jspecify.annotations.NullMarked;

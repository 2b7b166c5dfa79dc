/**
 * Reads {@code midcourse.toml} and the arguments of the hub into typed settings. Each error names
 * file, line and rule. Not here: the sections of channels and workers ({@code
 * hub.settings.channel}, {@code hub.settings.worker}); starting anything.
 */
@NullMarked
package dev.midcourse.hub.settings;

import org.jspecify.annotations.NullMarked;

/**
 * The sections of channels, and their secrets. Not here: channels that are added while the hub runs
 * ({@code hub.channel}).
 */
@NullMarked
package dev.midcourse.hub.settings.channel;

import org.jspecify.annotations.NullMarked;

/**
 * Parts for tests of channels: settings, stored state, a listener, and programs as other people.
 */
@NullMarked
package dev.midcourse.channels.testing;

import org.jspecify.annotations.NullMarked;

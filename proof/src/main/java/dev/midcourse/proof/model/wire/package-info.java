/**
 * The wire formats of model providers, as the scripted model implements them.
 *
 * <p>The script and its playback are in {@code proof.model}.
 */
@NullMarked
package dev.midcourse.proof.model.wire;

import org.jspecify.annotations.NullMarked;

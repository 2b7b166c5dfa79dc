/**
 * The wire formats of model providers, as the scripted model speaks them.
 *
 * <p>What the model answers is in {@code proof.model}.
 */
@NullMarked
package dev.midcourse.proof.model.wire;

import org.jspecify.annotations.NullMarked;

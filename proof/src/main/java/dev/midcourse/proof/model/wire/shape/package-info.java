/**
 * Checks that the requests of an agent have the form which a provider of models accepts. Not here:
 * answers ({@code proof.model.wire}).
 */
@NullMarked
package dev.midcourse.proof.model.wire.shape;

import org.jspecify.annotations.NullMarked;

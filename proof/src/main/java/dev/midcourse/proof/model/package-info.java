/**
 * A scripted model: the API of a model vendor, played from a script, with every request recorded.
 * Start at {@link ScriptedModel}.
 */
@NullMarked
package dev.midcourse.proof.model;

import org.jspecify.annotations.NullMarked;

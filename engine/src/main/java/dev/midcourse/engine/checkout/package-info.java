/**
 * The git checkouts of dispatched runs: which run may use which, and what is stored of its
 * dispatch.
 *
 * <p>Git itself is called in {@code agents.git}.
 */
@NullMarked
package dev.midcourse.engine.checkout;

import org.jspecify.annotations.NullMarked;

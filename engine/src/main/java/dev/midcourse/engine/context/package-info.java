/**
 * What all parts of the engine share: settings, quotas per agent, the specification of an attempt.
 *
 * <p>It depends on no other package of the engine.
 */
@NullMarked
package dev.midcourse.engine.context;

import org.jspecify.annotations.NullMarked;

/**
 * Checks of the repository itself: dependencies between modules and packages, the launcher, the
 * documented commands.
 */
@NullMarked
package dev.midcourse.proof.repository;

import org.jspecify.annotations.NullMarked;

/**
 * What things cost, measured on the machine at hand; one class per benchmark, all listed in one
 * place.
 */
@NullMarked
package dev.midcourse.proof.bench;

import org.jspecify.annotations.NullMarked;

/** Leads and workers, end to end. */
@org.jspecify.annotations.NullMarked
package dev.midcourse.proof.lead;

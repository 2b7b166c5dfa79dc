/** End-to-end tests of leads and workers. */
@org.jspecify.annotations.NullMarked
package dev.midcourse.proof.lead;

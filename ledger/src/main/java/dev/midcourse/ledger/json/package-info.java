/** How records look as JSON, in the log and at every door. */
@NullMarked
package dev.midcourse.ledger.json;

import org.jspecify.annotations.NullMarked;

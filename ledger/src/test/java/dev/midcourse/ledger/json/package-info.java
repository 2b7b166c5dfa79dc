/** Our JSON, name by name. */
@NullMarked
package dev.midcourse.ledger.json;

import org.jspecify.annotations.NullMarked;

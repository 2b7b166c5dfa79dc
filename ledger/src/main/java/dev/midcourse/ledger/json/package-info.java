/** The JSON form of records, in the log and in every interface. */
@NullMarked
package dev.midcourse.ledger.json;

import org.jspecify.annotations.NullMarked;

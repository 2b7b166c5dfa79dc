/** The ledger's suite: every store passes the same one. */
@NullMarked
package dev.midcourse.ledger.sql;

import org.jspecify.annotations.NullMarked;

/**
 * One class for each table: its statements and the mapping of its rows; and the reader that answers
 * the ledger's questions.
 *
 * <p>No class in here commits.
 */
@NullMarked
package dev.midcourse.ledger.sql.table;

import org.jspecify.annotations.NullMarked;

/**
 * One class for each table of chats: its statements and the mapping of its rows; and the reader and
 * the writer of {@code ledger.chat} over them.
 *
 * <p>No class in here commits.
 */
@NullMarked
package dev.midcourse.ledger.sql.chat;

import org.jspecify.annotations.NullMarked;

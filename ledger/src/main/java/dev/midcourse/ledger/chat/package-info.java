/**
 * Storage of people, chats, conversations, messages and the outbox: the interfaces. Not here: runs
 * and steers ({@code ledger}), the statements ({@code ledger.sql.chat}).
 */
@NullMarked
package dev.midcourse.ledger.chat;

import org.jspecify.annotations.NullMarked;

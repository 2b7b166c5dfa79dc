/**
 * File mailboxes: groups write tasks as files into a folder and read replies, receipts and notices
 * as files from another.
 *
 * <p>A task is carried out by {@code HubOperations}, like a request over HTTP.
 */
@NullMarked
package dev.midcourse.hub.mailbox;

import org.jspecify.annotations.NullMarked;

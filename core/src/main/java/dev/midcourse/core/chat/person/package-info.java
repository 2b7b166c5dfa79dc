/**
 * People, their identities on channels, and the roles that they are granted. Not here: what a role
 * permits in a chat ({@code core.chat.route}, {@code core.chat.approval}).
 */
@NullMarked
package dev.midcourse.core.chat.person;

import org.jspecify.annotations.NullMarked;

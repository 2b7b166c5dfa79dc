/** Folders that somebody else can write to, touched without trusting anything in them. */
@NullMarked
package dev.midcourse.agents.mail;

import org.jspecify.annotations.NullMarked;

/** Folders that other programs can write to. No name, link or content in them is trusted. */
@NullMarked
package dev.midcourse.agents.mail;

import org.jspecify.annotations.NullMarked;

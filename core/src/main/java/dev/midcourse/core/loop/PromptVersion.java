package dev.midcourse.core.loop;

import dev.midcourse.core.steer.Author;
import java.time.Instant;

/** One wording of the task. Every wording is kept; calls name the one that they had. */
public record PromptVersion(int number, String text, Author author, Instant at) {}

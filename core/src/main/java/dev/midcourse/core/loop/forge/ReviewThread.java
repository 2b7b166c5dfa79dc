package dev.midcourse.core.loop.forge;

import java.util.List;
import java.util.Optional;

/**
 * A thread of comments on a line, a file or a whole change. An outdated thread that is not resolved
 * is still open.
 *
 * @param path the file; empty for a thread on the whole change
 * @param line the line in the newest commit, or, if outdated, in the commit that it was made on; 0
 *     for none
 * @param outdated whether the lines have changed since
 * @param comments all comments, the first one first
 */
public record ReviewThread(
    String id,
    Optional<String> path,
    int line,
    boolean resolved,
    boolean outdated,
    List<RemoteComment> comments) {
  public ReviewThread {
    comments = List.copyOf(comments);
  }
}

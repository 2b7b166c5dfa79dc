package dev.midcourse.core.loop.finding;

import java.net.URI;
import java.util.Optional;

/** The paths of reports, made relative to the checkout in which a tool ran. */
final class ReportPaths {
  private static final String FILE_SCHEME = "file:";

  private ReportPaths() {}

  /**
   * Returns the path as it is in the repository; empty if the text names none. A path out of the
   * checkout comes back as it is, and {@link ReportedFinding} treats it as none.
   *
   * @param root the absolute path of the checkout; may be empty
   */
  static Optional<String> relative(String text, String root) {
    String path = text.strip();
    if (path.startsWith(FILE_SCHEME)) {
      path = decoded(path);
    }
    if (!root.isEmpty() && path.startsWith(root + "/")) {
      path = path.substring(root.length() + 1);
    }
    while (path.startsWith("./")) {
      path = path.substring(2);
    }
    return path.isEmpty() ? Optional.empty() : Optional.of(path);
  }

  /** The same for a URI reference, in which characters may be escaped. */
  static Optional<String> relativeUri(String uri, String root) {
    return relative(uri.contains("%") ? decoded(uri) : uri, root);
  }

  private static String decoded(String uri) {
    try {
      return Optional.ofNullable(URI.create(uri).getPath()).orElse(uri);
    } catch (IllegalArgumentException notAUri) {
      return uri.startsWith(FILE_SCHEME + "//")
          ? uri.substring((FILE_SCHEME + "//").length())
          : uri;
    }
  }
}

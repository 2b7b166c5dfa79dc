package dev.midcourse.hub.boot;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The paths that every sandbox hides: the hub's own data and the usual places of secrets. */
public final class HiddenPaths {
  private static final List<String> IN_THE_HOME =
      List.of(
          ".ssh",
          ".gnupg",
          ".aws",
          ".azure",
          ".kube",
          ".docker",
          ".password-store",
          ".netrc",
          ".git-credentials",
          ".config/gh",
          ".config/gcloud");

  private HiddenPaths() {}

  public static List<Path> of(Path data) {
    Path home = Path.of(System.getProperty("user.home"));
    return Stream.concat(Stream.of(data), IN_THE_HOME.stream().map(home::resolve)).toList();
  }
}

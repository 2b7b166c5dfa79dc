package dev.midcourse.core.loop.forge;

import dev.midcourse.core.WireNames;

/** The programs that Midcourse can use as a forge. */
public enum ForgeKind {
  GITHUB,
  GITLAB,
  GITEA,
  FORGEJO,
  GERRIT;

  public String wire() {
    return WireNames.name(this);
  }

  public static ForgeKind parse(String text) {
    return WireNames.parse(ForgeKind.class, "forge", text);
  }
}

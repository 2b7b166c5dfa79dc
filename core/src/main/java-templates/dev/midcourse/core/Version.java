package dev.midcourse.core;

/** The version of this build, as the parent pom states it. */
public final class Version {
  /** A compile-time constant, so that reading it loads no class and opens no file. */
  public static final String NUMBER = "${project.version}";

  private Version() {}
}

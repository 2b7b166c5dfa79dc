package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.core.loop.forge.ForgeFeature;
import dev.midcourse.core.loop.forge.ForgeKind;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of Gitea or Forgejo, and what its interface can do. Forgejo counts its own versions,
 * and names the version of Gitea to whose interface it is compatible after {@code +gitea-}.
 */
record GiteaVersion(ForgeKind kind, int major, int minor) {
  private static final Pattern NUMBERS = Pattern.compile("v?(\\d{1,4})\\.(\\d{1,4}).*");

  /** How a comment gets into a thread. */
  enum ReplyWay {
    /** By a request for a reply. */
    REPLY,
    /** As a further comment of the review that began the thread. */
    COMMENT_OF_REVIEW,
    /** As a review of its own with a comment on the same line. */
    REVIEW
  }

  /** Reads the answer about the version. A version that cannot be read is taken for an old one. */
  static GiteaVersion parse(String text) {
    ForgeKind kind = text.contains("+gitea-") ? ForgeKind.FORGEJO : ForgeKind.GITEA;
    Matcher numbers = NUMBERS.matcher(text.strip());
    return numbers.matches()
        ? new GiteaVersion(
            kind, Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))
        : new GiteaVersion(kind, 0, 0);
  }

  private boolean isGitea(int leastMajor, int leastMinor) {
    return kind == ForgeKind.GITEA
        && (major > leastMajor || (major == leastMajor && minor >= leastMinor));
  }

  ReplyWay replyWay() {
    if (isGitea(1, 27)) {
      return ReplyWay.REPLY;
    }
    return kind == ForgeKind.FORGEJO && major >= 7 ? ReplyWay.COMMENT_OF_REVIEW : ReplyWay.REVIEW;
  }

  /** No version of Forgejo up to 15 can resolve a thread by its interface. */
  boolean canResolve() {
    return isGitea(1, 26);
  }

  Set<ForgeFeature> features() {
    EnumSet<ForgeFeature> features =
        EnumSet.of(
            ForgeFeature.REPLY,
            ForgeFeature.DRAFT,
            ForgeFeature.CHECKS,
            ForgeFeature.UPDATE_BRANCH,
            ForgeFeature.AUTO_MERGE,
            ForgeFeature.HOOKS);
    if (canResolve()) {
      features.add(ForgeFeature.RESOLVE);
    }
    return features;
  }
}

package dev.midcourse.autopilot.forge.gitlab;

import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.Mergeability;
import java.util.regex.Pattern;

/**
 * A merge request as GitLab describes it.
 *
 * @param json the answer
 */
record GitLabChange(Obj json) {
  private static final String DRAFT = "Draft: ";
  private static final Pattern DRAFT_PREFIX =
      Pattern.compile("\\A\\s*(\\[draft]|\\(draft\\)|draft:)\\s*", Pattern.CASE_INSENSITIVE);

  ChangeRef reference() {
    return new ChangeRef(json.text("iid").orElse(""), json.string("web_url").orElse(""));
  }

  String head() {
    return json.string("sha").orElse("");
  }

  String base() {
    return json.string("target_branch").orElse("");
  }

  String title() {
    return json.string("title").orElse("");
  }

  boolean isDraft() {
    return json.is("draft") || DRAFT_PREFIX.matcher(title()).find();
  }

  /** The title of a draft. */
  static String draft(String title) {
    return DRAFT_PREFIX.matcher(title).find() ? title : DRAFT + title;
  }

  /** The title without what makes it a draft, however often it is there. */
  static String ready(String title) {
    String rest = title;
    while (DRAFT_PREFIX.matcher(rest).find()) {
      rest = DRAFT_PREFIX.matcher(rest).replaceFirst("");
    }
    return rest;
  }

  ChangeSnapshot.State state() {
    return switch (json.string("state").orElse("")) {
      case "merged" -> ChangeSnapshot.State.MERGED;
      case "closed" -> ChangeSnapshot.State.CLOSED;
      default -> ChangeSnapshot.State.OPEN;
    };
  }

  Mergeability mergeability() {
    if (state() != ChangeSnapshot.State.OPEN) {
      return Mergeability.UNKNOWN;
    }
    return switch (json.string("detailed_merge_status").orElse("")) {
      case "mergeable" -> Mergeability.YES;
      case "conflict" -> Mergeability.CONFLICT;
      case "need_rebase" -> Mergeability.BEHIND;
      case "unchecked", "checking", "preparing", "approvals_syncing" -> Mergeability.UNKNOWN;
      case "", "broken_status" -> byMergeStatus();
      default -> json.is("has_conflicts") ? Mergeability.CONFLICT : Mergeability.BLOCKED;
    };
  }

  /** GitLab before 15.6 says less. */
  private Mergeability byMergeStatus() {
    return switch (json.string("merge_status").orElse("")) {
      case "can_be_merged" -> isDraft() ? Mergeability.BLOCKED : Mergeability.YES;
      case "cannot_be_merged" -> Mergeability.CONFLICT;
      default -> Mergeability.UNKNOWN;
    };
  }
}

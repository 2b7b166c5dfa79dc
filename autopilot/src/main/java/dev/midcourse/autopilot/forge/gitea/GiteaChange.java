package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A pull request as the forge describes it.
 *
 * @param json the answer
 */
record GiteaChange(Obj json) {
  private static final String DRAFT = "WIP: ";
  private static final Pattern DRAFT_PREFIX =
      Pattern.compile("\\A\\s*(wip:|\\[wip])\\s*", Pattern.CASE_INSENSITIVE);

  ChangeRef reference() {
    return new ChangeRef(json.text("number").orElse(""), json.string("html_url").orElse(""));
  }

  String head() {
    return json.object("head").string("sha").orElse("");
  }

  String branch() {
    return json.object("head").string("ref").orElse("");
  }

  String base() {
    return json.object("base").string("ref").orElse("");
  }

  /** Whether the branch is in the same repository as the base. */
  boolean isOfRepository() {
    return json.object("head").number("repo_id").equals(json.object("base").number("repo_id"));
  }

  String title() {
    return json.string("title").orElse("");
  }

  boolean isDraft() {
    return json.is("draft") || DRAFT_PREFIX.matcher(title()).find();
  }

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
    if (json.is("merged")) {
      return ChangeSnapshot.State.MERGED;
    }
    return json.string("state").orElse("").equals("closed")
        ? ChangeSnapshot.State.CLOSED
        : ChangeSnapshot.State.OPEN;
  }

  /** Whether the base has no commit that the branch lacks. */
  boolean isUpToDate() {
    return json.object("base").string("sha").equals(json.string("merge_base"));
  }

  /** Changes when the branch or its base moves. */
  String version() {
    return head() + " " + json.object("base").string("sha").orElse("");
  }

  Set<String> requested() {
    List<Obj> reviewers = json.objects("requested_reviewers");
    return reviewers.stream().map(GiteaApi::login).collect(Collectors.toSet());
  }
}

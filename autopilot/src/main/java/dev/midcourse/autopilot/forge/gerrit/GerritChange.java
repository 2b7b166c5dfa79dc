package dev.midcourse.autopilot.forge.gerrit;

import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.RemoteCheck;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A change as Gerrit describes it in detail.
 *
 * @param json the answer with {@link #OPTIONS}
 */
record GerritChange(Obj json) {
  /** What an answer must contain. */
  static final String OPTIONS =
      "o=ALL_REVISIONS&o=DETAILED_LABELS&o=DETAILED_ACCOUNTS&o=MESSAGES&o=SUBMITTABLE";

  static final String REVIEW_LABEL = "Code-Review";
  private static final String CHECK_LABEL_END = "Verified";

  /** A vote for or against a change. */
  record Vote(Obj account, long value, String date) {
    String login() {
      return GerritApi.login(account);
    }
  }

  String head() {
    return json.string("current_revision").orElse("");
  }

  /** Changes with everything that is done to the change. */
  String version() {
    return json.string("meta_rev_id").orElse("") + " " + head();
  }

  long patchSet() {
    return json.object("revisions").object(head()).number("_number").orElse(0L);
  }

  boolean hasPatchSet(String commit) {
    return json.object("revisions").fields().containsKey(commit);
  }

  /** The commit of a patch set. */
  Optional<String> commit(long patchSet) {
    for (Map.Entry<String, ?> revision : json.object("revisions").fields().entrySet()) {
      if (revision.getValue() instanceof Obj described
          && described.number("_number").orElse(0L) == patchSet) {
        return Optional.of(revision.getKey());
      }
    }
    return Optional.empty();
  }

  ChangeSnapshot.State state() {
    return switch (json.string("status").orElse("")) {
      case "MERGED" -> ChangeSnapshot.State.MERGED;
      case "ABANDONED" -> ChangeSnapshot.State.CLOSED;
      default -> ChangeSnapshot.State.OPEN;
    };
  }

  boolean isDraft() {
    return json.is("work_in_progress");
  }

  String owner() {
    return GerritApi.login(json.object("owner"));
  }

  List<Obj> reviewers() {
    return json.object("reviewers").objects("REVIEWER");
  }

  List<Obj> messages() {
    return json.objects("messages");
  }

  /** The votes that count for the newest patch set. */
  List<Vote> votes(String label) {
    List<Vote> votes = new ArrayList<>();
    for (Obj vote : json.object("labels").object(label).objects("all")) {
      long value = vote.number("value").orElse(0L);
      if (value != 0) {
        votes.add(new Vote(vote, value, vote.string("date").orElse("")));
      }
    }
    return votes;
  }

  Set<String> voters() {
    return json.object("labels").fields().keySet().stream()
        .flatMap(label -> votes(label).stream())
        .map(Vote::login)
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** Whether Gerrit expects an account to act. */
  boolean hasAttentionOf(String login) {
    return json.object("attention_set").fields().values().stream()
        .anyMatch(it ->
            it instanceof Obj entry && GerritApi.login(entry.object("account")).equals(login));
  }

  /** The labels of CI as checks. */
  List<RemoteCheck> checks() {
    List<RemoteCheck> checks = new ArrayList<>();
    for (String label : json.object("labels").fields().keySet()) {
      if (label.endsWith(CHECK_LABEL_END)) {
        checks.add(check(label));
      }
    }
    return checks;
  }

  private RemoteCheck check(String label) {
    List<Vote> votes = votes(label);
    RemoteCheck.State state = RemoteCheck.State.WAITING;
    if (votes.stream().anyMatch(it -> it.value() < 0)) {
      state = RemoteCheck.State.FAILURE;
    } else if (!votes.isEmpty()) {
      state = RemoteCheck.State.SUCCESS;
    }
    String summary =
        messages().stream()
            .filter(it -> GerritMessage.of(it).vote(label).isPresent())
            .filter(it -> it.number("_revision_number").orElse(0L) == patchSet())
            .reduce((_, last) -> last)
            .map(it -> GerritMessage.of(it).text())
            .orElse("");
    return new RemoteCheck("", label, state, summary, "", List.of());
  }

  /** Reads a list answer. */
  static List<Obj> objects(Object json) {
    return json instanceof Arr array ? array.objects() : List.of();
  }
}

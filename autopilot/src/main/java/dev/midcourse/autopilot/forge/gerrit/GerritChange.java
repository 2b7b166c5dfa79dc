package dev.midcourse.autopilot.forge.gerrit;

import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.RemoteCheck;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A change as Gerrit describes it in detail. A patch set that the hub has pushed has two names: its
 * own commit, and the head that was squashed into it, by which the loop knows it.
 *
 * @param json the answer with {@link #OPTIONS}
 * @param own the login of Midcourse
 */
record GerritChange(Obj json, String own) {
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

  /** The newest patch set, as the loop names it. */
  String head() {
    return name(revision());
  }

  /** The commit of the newest patch set. */
  String revision() {
    return json.string("current_revision").orElse("");
  }

  private Obj described(String revision) {
    return json.object("revisions").object(revision);
  }

  private String name(String revision) {
    return GerritPush.head(described(revision), own).orElse(revision);
  }

  /** Whether the newest patch set has this name. */
  boolean isHead(String name) {
    return name.equals(head()) || name.equals(revision());
  }

  /** Changes with everything that is done to the change. */
  String version() {
    return json.string("meta_rev_id").orElse("") + " " + revision();
  }

  long patchSet() {
    return number(described(revision()));
  }

  private static long number(Obj revision) {
    return revision.number("_number").orElse(0L);
  }

  /** Whether a patch set has this name. */
  boolean hasPatchSet(String name) {
    return json.object("revisions").fields().keySet().stream()
        .anyMatch(it -> it.equals(name) || name(it).equals(name));
  }

  /** The name of a patch set. */
  Optional<String> nameOf(long patchSet) {
    return json.object("revisions").fields().keySet().stream()
        .filter(it -> number(described(it)) == patchSet)
        .findFirst()
        .map(this::name);
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
}

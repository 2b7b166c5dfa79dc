package dev.midcourse.agents.git;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Branches in the repository of a forge. A push never overwrites what is there. The settings of the
 * clone are not used. A secret is in the environment of git's process only: not on a command line,
 * not in an address, not in a file.
 */
public final class RemoteBranch {
  private static final String USER = "MIDCOURSE_FORGE_USER";
  private static final String SECRET = "MIDCOURSE_FORGE_SECRET";

  /** Git asks the shell, which reads both from the environment. */
  private static final String HELPER =
      "!f() { test \"$1\" = get && printf 'username=%s\\npassword=%s\\n' \"$"
          + USER
          + "\" \"$"
          + SECRET
          + "\"; }; f";

  private static final Pattern UNAUTHORIZED =
      Pattern.compile(
          "authentication failed|could not read (username|password)|permission denied"
              + "|returned error: 40[13]|invalid username or (password|token)"
              + "|could not read from remote repository",
          Pattern.CASE_INSENSITIVE);

  private final Repository repository;
  private final String address;
  private final Optional<Login> login;

  /** A user name and a secret, for addresses that git reaches over HTTP. */
  public record Login(String user, String secret) {
    @Override
    public String toString() {
      return "Login[" + user + "]";
    }
  }

  /**
   * @param address an address for git, without a user name and a password
   */
  public RemoteBranch(Repository repository, String address, Optional<Login> login) {
    if (address.isBlank() || address.startsWith("-") || address.contains("::")) {
      throw Problem.invalid("remote", "an address of git", "the address of the forge is not one")
          .refused();
    }
    this.repository = repository;
    this.address = address;
    this.login = login;
  }

  /** The result of a push. */
  public sealed interface PushResult {
    /** The branch there has the commit, from now on or from before. */
    record Done() implements PushResult {}

    /** The branch there has commits that this one has not. */
    record Foreign(String why) implements PushResult {}

    record Unauthorized(String why) implements PushResult {}

    /** A rule of the forge does not allow it. */
    record Refused(String why) implements PushResult {}

    /** The forge was not reached. */
    record Unreachable(String why) implements PushResult {}
  }

  /**
   * Moves a reference there forward to the commit, or creates it.
   *
   * @param reference the whole name: {@code refs/heads/fix-it}
   */
  public PushResult push(String commit, String reference) {
    Git.Result result =
        call(false, "push", "--porcelain", "--no-verify", address, commit + ":" + reference);
    if (result.ok()) {
      return new PushResult.Done();
    }
    Optional<String> rejection =
        result.lines().stream().filter(line -> line.startsWith("!")).findFirst();
    if (rejection.isPresent()) {
      String why = WireNames.shown(rejection.get().replaceAll(".*\\[", "["));
      String text = rejection.get().toLowerCase(Locale.ROOT);
      if (text.contains("no new changes")) { // Gerrit has this commit
        return new PushResult.Done();
      }
      boolean foreign =
          text.contains("non-fast-forward")
              || text.contains("fetch first")
              || text.contains("stale info");
      return foreign ? new PushResult.Foreign(why) : new PushResult.Refused(why);
    }
    String why = Git.reason(result);
    return UNAUTHORIZED.matcher(result.complaint()).find()
        ? new PushResult.Unauthorized(why)
        : new PushResult.Unreachable(why);
  }

  /** The newest commit of a branch there; empty if there is no such branch. */
  public Optional<String> tip(String branch) {
    return heads().entrySet().stream()
        .filter(it -> it.getKey().equals(branch))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** The branches there that end with this commit. */
  public List<String> branchesAt(String commit) {
    return heads().entrySet().stream()
        .filter(it -> it.getValue().equals(commit))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private Map<String, String> heads() {
    Git.Result result = call(false, "ls-remote", "--heads", address);
    requireOk(result);
    Map<String, String> heads = new HashMap<>();
    for (String line : result.lines()) {
      String[] parts = line.split("\t", 2);
      if (parts.length == 2 && parts[1].startsWith("refs/heads/")) {
        heads.put(parts[1].substring("refs/heads/".length()), parts[0]);
      }
    }
    return heads;
  }

  /** Fetches the newest commit of a branch there into the objects of the clone. */
  public Optional<String> fetch(String branch) {
    Optional<String> tip = tip(branch);
    if (tip.isPresent()) {
      requireOk(call(true, "fetch", "--quiet", "--no-tags", address, "refs/heads/" + branch));
    }
    return tip;
  }

  private static void requireOk(Git.Result result) {
    if (result.ok()) {
      return;
    }
    boolean forbidden = UNAUTHORIZED.matcher(result.complaint()).find();
    throw Problem.of(
            forbidden ? Problem.Code.FORBIDDEN : Problem.Code.UNAVAILABLE,
            "remote",
            "a forge that can be reached",
            "the forge cannot be read with git: " + Git.reason(result))
        .refused();
  }

  /**
   * Calls git in a view of the objects of the clone.
   *
   * @param keeps whether new objects are stored in the clone
   */
  private Git.Result call(boolean keeps, String... arguments) {
    repository.check();
    GitDirectory clone = new GitDirectory(repository.common(), repository.common());
    try (ObjectView view = ObjectView.of(clone)) {
      Map<String, String> environment = new HashMap<>();
      environment.put("GIT_ALLOW_PROTOCOL", "https:http:ssh:file");
      environment.put("GIT_SSH_COMMAND", "ssh -oBatchMode=yes");
      login.ifPresent(it -> {
        environment.put(USER, it.user());
        environment.put(SECRET, it.secret());
        environment.put("GIT_CONFIG_COUNT", "1");
        environment.put("GIT_CONFIG_KEY_0", "credential.helper");
        environment.put("GIT_CONFIG_VALUE_0", HELPER);
      });
      if (keeps) {
        environment.put("GIT_OBJECT_DIRECTORY", repository.common().resolve("objects").toString());
      }
      return view.git().with(environment).call(arguments);
    }
  }
}

package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.SnapshotGaps;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.autopilot.forge.http.ForgePages;
import dev.midcourse.autopilot.forge.http.ForgeRequest;
import dev.midcourse.autopilot.forge.http.ForgeResponse;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ForgeError;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Requests to Gitea or Forgejo about one repository.
 *
 * @param project owner and name
 * @param account the account of Midcourse once it is known; before, an empty object
 * @param versionAnswer what the forge says about its version; before it was asked, an empty object
 */
record GiteaApi(
    ForgeClient client,
    String project,
    AtomicReference<Obj> account,
    AtomicReference<Obj> versionAnswer) {
  static final String PAGE = "limit=50";
  private static final Set<String> BOTS = Set.of("gitea-actions", "forgejo-actions");

  String path(String rest) {
    int slash = project.indexOf('/');
    String owner = slash < 0 ? project : project.substring(0, slash);
    return "/repos/"
        + ForgeRequest.encode(owner)
        + "/"
        + ForgeRequest.encode(project.substring(slash + 1))
        + rest;
  }

  String pull(String number, String rest) {
    return path("/pulls/" + ForgeRequest.encode(number) + rest);
  }

  Obj self() throws ForgeException, InterruptedException {
    if (account.get().fields().isEmpty()) {
      account.set(get("/user"));
    }
    return account.get();
  }

  GiteaVersion version() throws ForgeException, InterruptedException {
    if (versionAnswer.get().fields().isEmpty()) {
      versionAnswer.set(get("/version"));
    }
    return GiteaVersion.parse(versionAnswer.get().string("version").orElse(""));
  }

  Obj get(String path) throws ForgeException, InterruptedException {
    return client.call(ForgeRequest.get(path)).object();
  }

  List<Obj> list(String path) throws ForgeException, InterruptedException {
    ForgePages pages = client.pages(path);
    if (pages.incomplete().isPresent()) {
      throw new ForgeException(new ForgeError.Outage(pages.incomplete().get()));
    }
    return pages.items();
  }

  /** Reads all pages of a list that is a part of a snapshot. */
  List<Obj> part(String path, SnapshotGaps gaps) throws ForgeException, InterruptedException {
    try {
      ForgePages pages = client.pages(path);
      pages.incomplete().ifPresent(gaps::add);
      return pages.items();
    } catch (ForgeException e) {
      gaps.add(e);
      return List.of();
    }
  }

  ForgeResponse write(String method, String path, Obj body)
      throws ForgeException, InterruptedException {
    return client.call(ForgeRequest.write(method, path, body));
  }

  static Instant time(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      return Instant.EPOCH;
    }
  }

  static String login(Obj user) {
    return user.string("login").orElse("");
  }

  static boolean isBot(Obj user) {
    return BOTS.contains(login(user))
        || login(user).endsWith("[bot]")
        || user.number("id").orElse(0L) < 0;
  }
}

package dev.midcourse.autopilot.forge.gitlab;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.SnapshotGaps;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.autopilot.forge.http.ForgePages;
import dev.midcourse.autopilot.forge.http.ForgeRequest;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ForgeError;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/**
 * Requests to GitLab about one project.
 *
 * @param project the full path of the project, or its number
 * @param account the account of Midcourse once it is known; before, an empty object
 */
record GitLabApi(ForgeClient client, String project, AtomicReference<Obj> account) {
  private static final Pattern BOT = Pattern.compile("(project|group)_\\d+_bot(_.*)?|.*\\[bot]");

  String path(String rest) {
    return "/projects/" + ForgeRequest.encode(project) + rest;
  }

  /** The path of a merge request; its number is the one within the project. */
  String request(String number, String rest) {
    return path("/merge_requests/" + ForgeRequest.encode(number) + rest);
  }

  /** The account of Midcourse. */
  Obj self() throws ForgeException, InterruptedException {
    if (account.get().fields().isEmpty()) {
      account.set(get("/user"));
    }
    return account.get();
  }

  Obj get(String path) throws ForgeException, InterruptedException {
    return client.call(ForgeRequest.get(path)).object();
  }

  /** Reads all pages of a list. */
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

  Obj write(String method, String path, Obj body) throws ForgeException, InterruptedException {
    return client.call(ForgeRequest.write(method, path, body)).object();
  }

  static Instant time(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      return Instant.EPOCH;
    }
  }

  static String login(Obj user) {
    return user.string("username").orElse("");
  }

  /** Tokens of projects and groups act as users with such names. */
  static boolean isBot(Obj user) {
    return user.is("bot") || BOT.matcher(login(user)).matches();
  }
}

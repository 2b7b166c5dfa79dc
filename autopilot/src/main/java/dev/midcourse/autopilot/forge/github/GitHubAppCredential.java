package dev.midcourse.autopilot.forge.github;

import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.autopilot.forge.http.ForgeRequest;
import dev.midcourse.autopilot.forge.http.ForgeResponse;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ForgeError;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tokens of a GitHub App for the repositories on which it is installed. A token lives for an
 * hour and is renewed some minutes before, and when GitHub does not accept it.
 */
public final class GitHubAppCredential implements ForgeCredential, AutoCloseable {
  private static final Duration RENEWED_BEFORE = Duration.ofMinutes(5);
  private static final List<String> WRITTEN = List.of("pull_requests", "contents");
  private static final List<String> READ = List.of("checks", "statuses");

  private final String app;
  private final String project;
  private final AppKey key;
  private final InstantSource clock;
  private final ForgeClient client;

  /** Guarded by this object. */
  private Optional<Token> known = Optional.empty();

  /**
   * @param end when a new token is asked for, on the clock of this machine
   */
  private record Token(Secret secret, Instant end) {}

  /**
   * @param app the client id of the App, or its number
   * @param pem the private key of the App
   * @param project a repository on which the App is installed: {@code OWNER/NAME}
   * @throws IllegalArgumentException if the key is none
   */
  public GitHubAppCredential(URI api, String app, String pem, String project, InstantSource clock) {
    this.app = app;
    this.project = project;
    this.key = AppKey.parse(pem);
    this.clock = clock;
    this.client =
        new ForgeClient(
            GitHubForge.clientSettings(api).withWriteInterval(Duration.ZERO),
            () -> new Secret("", key.sign(app, clock.instant())),
            clock);
  }

  @Override
  public synchronized Secret get() throws ForgeException, InterruptedException {
    Optional<Token> valid = known.filter(token -> token.end().isAfter(clock.instant()));
    if (valid.isEmpty()) {
      valid = Optional.of(renew());
      known = valid;
    }
    return valid.get().secret();
  }

  @Override
  public synchronized void reject(Secret secret) {
    known = known.filter(token -> !token.secret().equals(secret));
  }

  private Token renew() throws ForgeException, InterruptedException {
    long installation =
        client
            .call(ForgeRequest.get("/repos/" + project + "/installation"))
            .object()
            .number("id")
            .orElseThrow(() -> outage("named no installation"));
    ForgeResponse answer =
        client.call(
            ForgeRequest.write(
                "POST",
                "/app/installations/" + installation + "/access_tokens",
                JsonValue.object()));
    JsonValue.Obj body = answer.object();
    requirePermissions(body.object("permissions"));
    String token = body.string("token").orElseThrow(() -> outage("gave no token"));
    Instant end = body.string("expires_at").flatMap(GitHubAppCredential::time).orElse(Instant.MIN);
    Instant forgeNow =
        answer.header("Date").flatMap(GitHubAppCredential::date).orElseGet(clock::instant);
    Duration life = end.equals(Instant.MIN) ? Duration.ZERO : Duration.between(forgeNow, end);
    return new Token(
        new Secret("x-access-token", token), clock.instant().plus(life).minus(RENEWED_BEFORE));
  }

  private void requirePermissions(JsonValue.Obj permissions) throws ForgeException {
    List<String> missing = new ArrayList<>();
    for (String name : WRITTEN) {
      if (permissions.string(name).filter("write"::equals).isEmpty()) {
        missing.add(name + ": write");
      }
    }
    for (String name : READ) {
      if (permissions.string(name).isEmpty()) {
        missing.add(name + ": read");
      }
    }
    if (!missing.isEmpty()) {
      throw new ForgeException(
          new ForgeError.Forbidden(
              "the App " + app + " lacks the permissions " + String.join(", ", missing)));
    }
  }

  private static ForgeException outage(String what) {
    return new ForgeException(new ForgeError.Outage("GitHub " + what + " for the App"));
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    client.close();
  }
}

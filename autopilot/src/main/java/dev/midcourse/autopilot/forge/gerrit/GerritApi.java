package dev.midcourse.autopilot.forge.gerrit;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.autopilot.forge.http.ForgeErrors;
import dev.midcourse.autopilot.forge.http.ForgeRequest;
import dev.midcourse.autopilot.forge.http.ForgeResponse;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ForgeError;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Requests to Gerrit. Each JSON answer begins with characters that keep a browser from running it;
 * an error is plain text.
 *
 * @param project the full name of the project
 * @param account the account of Midcourse once it is known; before, an empty object
 */
record GerritApi(ForgeClient client, String project, AtomicReference<Obj> account) {
  private static final String PREFIX = ")]}'";

  /** The path of a change of this project. */
  String change(String number) {
    return "/a/changes/" + ForgeRequest.encode(project) + "~" + ForgeRequest.encode(number);
  }

  /** The account of Midcourse. */
  Obj self() throws ForgeException, InterruptedException {
    if (account.get().fields().isEmpty()) {
      account.set(object("/a/accounts/self"));
    }
    return account.get();
  }

  JsonValue get(String path) throws ForgeException, InterruptedException {
    return call(ForgeRequest.get(path));
  }

  Obj object(String path) throws ForgeException, InterruptedException {
    if (get(path) instanceof Obj object) {
      return object;
    }
    throw new ForgeException(new ForgeError.Outage("the answer to " + path + " is not an object"));
  }

  JsonValue post(String path, Obj body) throws ForgeException, InterruptedException {
    return call(ForgeRequest.write("POST", path, body));
  }

  private JsonValue call(ForgeRequest request) throws ForgeException, InterruptedException {
    ForgeResponse answer = client.exchange(request);
    if (!answer.isSuccess()) {
      throw error(answer);
    }
    String text = answer.text().strip();
    if (text.startsWith(PREFIX)) {
      text = text.substring(PREFIX.length());
    }
    try {
      return text.isBlank() ? new JsonValue.Null() : JsonReader.read(text);
    } catch (JsonException e) {
      throw new ForgeException(
          new ForgeError.Outage("the answer of Gerrit is not JSON: " + e.getMessage()),
          request.write());
    }
  }

  private static ForgeException error(ForgeResponse answer) {
    String message =
        "Gerrit answered " + answer.status() + ": " + ForgeErrors.line(answer.text().strip());
    ForgeError error =
        switch (answer.status()) {
          case 401 -> new ForgeError.Unauthorized(message);
          case 403 -> new ForgeError.Forbidden(message);
          case 404 -> new ForgeError.NotFound(message);
          case 409, 412 -> new ForgeError.Conflict(message);
          default ->
              answer.status() / 100 == 4
                  ? new ForgeError.Invalid(message)
                  : new ForgeError.Outage(message);
        };
    return new ForgeException(error, answer.status() >= 500 && answer.request().write());
  }

  /** Reads a time, which Gerrit writes in UTC without saying so. */
  static Instant time(String text) {
    try {
      return Instant.parse(text.strip().replace(' ', 'T') + "Z");
    } catch (DateTimeParseException e) {
      return Instant.EPOCH;
    }
  }

  /** The name by which an account is asked for reviews and named in reviews. */
  static String login(Obj account) {
    return account
        .string("username")
        .or(() -> account.string("email"))
        .or(() -> account.text("_account_id"))
        .orElse("");
  }

  /** Whether an account is of a program. */
  static boolean isBot(Obj account) {
    return account.texts("tags").contains("SERVICE_USER");
  }
}

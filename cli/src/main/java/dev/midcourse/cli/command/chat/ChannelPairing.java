package dev.midcourse.cli.command.chat;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** Says how an owner becomes known in a new channel, and waits for it at a terminal. */
final class ChannelPairing {
  private static final long CHECK_MILLIS = 1_000;

  private final HubClient hub;
  private final Printed printed;

  ChannelPairing(HubClient hub, Printed printed) {
    this.hub = hub;
    this.printed = printed;
  }

  void explain(String channel) {
    printed.line("Added the channel " + channel + ".");
    JsonValue.Obj code = code();
    printed.line("Now send this to the bot, in a direct message:");
    printed.line("  " + code.text("command").orElse(""));
    printed
        .shell()
        .notes()
        .line(
            "It makes your account there that of "
                + code.text("name").orElse("the owner")
                + ". It can be used once and expires "
                + printed.until(code, "expires_at")
                + ". A new one: midcourse people pair");
    if (printed.shell().interactive()) {
      printed.shell().notes().line("Waiting for it. Ctrl-C ends the wait; the code stays valid.");
      await(channel, code.text("person_id").orElse(""))
          .ifPresentOrElse(
              account -> {
                printed.line("Linked " + account + ".");
                printed.line(
                    "Write to the bot: with one worker your chat is wired at once, else it asks"
                        + " which worker to use.");
              },
              () -> printed.line("The code has expired. A new one: midcourse people pair"));
    }
  }

  /** A code for an owner who is known on this machine, or for a new owner. */
  private JsonValue.Obj code() {
    Optional<String> owner =
        hub.get("/people").objects("people").stream()
            .filter(person ->
                person.objects("roles").stream()
                    .anyMatch(role -> role.text("role").orElse("").equals("owner")))
            .flatMap(person -> person.text("person_id").stream())
            .findFirst();
    return owner
        .map(id ->
            hub.post("/people/" + HttpRequest.encoded(id) + "/link-codes", JsonValue.Obj.EMPTY))
        .orElseGet(() -> hub.post("/owner-codes", JsonValue.Obj.EMPTY));
  }

  private Optional<String> await(String channel, String person) {
    List<String> before = accounts(channel, person);
    for (long waited = 0; waited < 600_000; waited += CHECK_MILLIS) {
      Optional<String> linked =
          accounts(channel, person).stream()
              .filter(account -> !before.contains(account))
              .findFirst();
      if (linked.isPresent()) {
        return linked;
      }
      try {
        Thread.sleep(CHECK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private List<String> accounts(String channel, String person) {
    return hub.get("/people/" + HttpRequest.encoded(person)).objects("identities").stream()
        .flatMap(account -> account.text("identity").stream())
        .filter(identity -> identity.startsWith(channel + ":"))
        .toList();
  }
}

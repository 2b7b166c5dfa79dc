package dev.midcourse.channels.irc;

import dev.midcourse.channels.SendResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends messages over one connection and waits for the evidence that the server took them: the echo
 * of each line, or, on a server without echoes, the answer to a later PING and no error before it.
 */
final class IrcSender {
  private static final Duration EVIDENCE_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration ABSENT_RETRY_INTERVAL = Duration.ofMinutes(1);
  private static final String LABEL = "label";

  private final IrcConnection connection;
  private final IrcNetwork network;
  private final LinePacer pacer;
  private final SentLines sentLines;
  private final ReentrantLock sending = new ReentrantLock(); // the lines of a message stay together
  private final List<SentLine> open = new ArrayList<>(); // guarded by itself
  private final Map<String, String> accounts = new ConcurrentHashMap<>(); // by nick, until asked
  private volatile boolean closed;

  IrcSender(IrcConnection connection, IrcNetwork network, LinePacer pacer, SentLines sentLines) {
    this.connection = connection;
    this.network = network;
    this.pacer = pacer;
    this.sentLines = sentLines;
  }

  /** What the server said about a line. */
  private sealed interface Evidence {
    /** It took the line; without echoes it gives no id. */
    record Taken(Optional<String> id) implements Evidence {}

    /** It did not take the line. */
    record Failure(String number, String reason) implements Evidence {}

    /** It tells the account of a nick; empty for a nick without one. */
    record Account(Optional<String> name) implements Evidence {}
  }

  /**
   * A line that waits for evidence.
   *
   * @param command PRIVMSG, PING or WHOIS
   * @param target the room or the folded nick; for a PING its token
   */
  private record SentLine(
      String command,
      String label,
      String target,
      String text,
      CompletableFuture<Evidence> evidence) {}

  SendResult send(IrcChat to, String markdown, Optional<String> replyTo)
      throws InterruptedException {
    if (!to.isValid()) {
      return new SendResult.Refused("the name of the chat is not valid");
    }
    List<String> lines = IrcText.lines(markdown, network.maxText(to.target()));
    if (lines.isEmpty()) {
      return new SendResult.Refused("the message has no visible text");
    }
    Optional<SendResult> objection = to.account().flatMap(owner -> objection(to.target(), owner));
    return objection.isPresent() ? objection.get() : sendLines(to.target(), lines, replyTo);
  }

  /** Whether somebody else has the nick now; the message would go to a stranger. */
  private Optional<SendResult> objection(String nick, String account) {
    SentLine whois = expect("WHOIS", nick, "");
    try {
      connection.write(IrcLine.of("WHOIS", nick));
      return switch (whois.evidence().get(EVIDENCE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        case Evidence.Account(var name) when name.filter(account::equalsIgnoreCase).isPresent() ->
            Optional.empty();
        case Evidence.Account _ ->
            Optional.of(absent(nick + " is not logged in as " + account + " now"));
        case Evidence.Failure(var _, String reason) -> Optional.of(absent(reason));
        case Evidence.Taken _ ->
            Optional.of(absent("the server does not tell who " + nick + " is"));
      };
    } catch (IOException | ExecutionException | TimeoutException e) {
      return Optional.of(notSent("the server did not tell who " + nick + " is"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of(notSent("the hub ends"));
    } finally {
      forget(whois);
    }
  }

  private static SendResult absent(String reason) {
    return new SendResult.RetryAfter(ABSENT_RETRY_INTERVAL, reason);
  }

  private static SendResult notSent(String reason) {
    return new SendResult.RetryAfter(Duration.ZERO, reason);
  }

  private SendResult sendLines(String target, List<String> lines, Optional<String> replyTo)
      throws InterruptedException {
    List<SentLine> sent = new ArrayList<>();
    try {
      write(target, lines, replyTo, sent);
      return result(sent);
    } catch (IOException | ExecutionException | TimeoutException e) {
      return sent.isEmpty()
          ? notSent("the connection was cut")
          : new SendResult.Unknown("the server did not confirm the message");
    } finally {
      sent.forEach(this::forget);
    }
  }

  private void write(
      String target, List<String> lines, Optional<String> replyTo, List<SentLine> sent)
      throws IOException, InterruptedException {
    sending.lockInterruptibly();
    try {
      for (String text : lines) {
        pacer.await();
        SentLine line = expect("PRIVMSG", network.fold(target), text);
        IrcLine wire = IrcLine.of("PRIVMSG", target, text);
        if (network.has(IrcCapability.LABELED_RESPONSE)) {
          wire = wire.withTag(LABEL, line.label());
        }
        if (network.has(IrcCapability.MESSAGE_TAGS) && replyTo.isPresent() && sent.isEmpty()) {
          wire = wire.withTag("+draft/reply", replyTo.get());
        }
        if (closed) {
          throw new IOException("the connection is closed");
        }
        sent.add(line);
        connection.write(wire);
      }
      if (!network.has(IrcCapability.ECHO_MESSAGE)) {
        SentLine ping = expect("PING", "sent-" + UUID.randomUUID(), "");
        sent.add(ping);
        connection.write(IrcLine.of("PING", ping.target()));
      }
    } finally {
      sending.unlock();
    }
  }

  private SendResult result(List<SentLine> sent)
      throws InterruptedException, ExecutionException, TimeoutException {
    long end = System.nanoTime() + EVIDENCE_TIMEOUT.toNanos();
    List<String> ids = new ArrayList<>();
    for (SentLine line : sent) {
      long left = Math.max(0, end - System.nanoTime());
      switch (line.evidence().get(left, TimeUnit.NANOSECONDS)) {
        case Evidence.Taken(var id) -> id.ifPresent(ids::add);
        case Evidence.Failure(String number, String reason) -> {
          return number.equals("401") && line.equals(sent.getFirst())
              ? absent(reason)
              : new SendResult.Refused("the server answered " + number + ": " + reason);
        }
        case Evidence.Account _ -> throw new TimeoutException("not the answer to this line");
      }
    }
    String first = ids.isEmpty() ? "local-" + UUID.randomUUID() : ids.getFirst();
    ids.forEach(id -> sentLines.add(id, first));
    return new SendResult.Sent(first);
  }

  private SentLine expect(String command, String target, String text) {
    SentLine line =
        new SentLine(
            command,
            UUID.randomUUID().toString(),
            network.fold(target),
            text,
            new CompletableFuture<>());
    synchronized (open) {
      open.add(line);
      if (closed) {
        line.evidence().completeExceptionally(new IOException("the connection is closed"));
      }
    }
    return line;
  }

  private void forget(SentLine line) {
    synchronized (open) {
      open.remove(line);
    }
  }

  /** Takes a line of the server; it may be evidence for one of ours. */
  void take(IrcLine line) {
    switch (line.command()) {
      case "PRIVMSG" -> takeEcho(line);
      case "PONG" -> takePong(line.lastParam());
      case "330" -> accounts.put(network.fold(line.param(1)), line.param(2));
      case "318" -> takeEndOfWhois(network.fold(line.param(1)));
      case "401",
          "403",
          "404",
          "407",
          "408",
          "412",
          "417",
          "442",
          "474",
          "477",
          "482",
          "489",
          "531",
          "FAIL" ->
          takeError(line);
      default -> {} // not about a line of ours
    }
  }

  /** The account comes before this line; a nick without one, or that nobody has, has none. */
  private void takeEndOfWhois(String nick) {
    Evidence account = new Evidence.Account(Optional.ofNullable(accounts.remove(nick)));
    synchronized (open) {
      for (SentLine line : open) {
        if (line.command().equals("WHOIS") && line.target().equals(nick)) {
          line.evidence().complete(account);
        }
      }
    }
  }

  private void takeEcho(IrcLine line) {
    if (!network.isUs(line.nick())) {
      return;
    }
    line.source().ifPresent(network::sawSource);
    String target = network.fold(line.param(0));
    Optional<String> label = line.tag(LABEL);
    synchronized (open) {
      for (SentLine one : open) {
        boolean isThis =
            label.isPresent()
                ? label.get().equals(one.label())
                : one.command().equals("PRIVMSG")
                    && one.target().equals(target)
                    && one.text().equals(line.param(1))
                    && !one.evidence().isDone();
        if (isThis) {
          one.evidence().complete(new Evidence.Taken(line.tag("msgid")));
          return;
        }
      }
    }
  }

  /** The lines before the PING were carried out before it, in their order. */
  private void takePong(String token) {
    synchronized (open) {
      boolean isOurs = open.stream().anyMatch(line -> line.target().equals(network.fold(token)));
      if (isOurs) {
        for (SentLine line : open) {
          if (!line.command().equals("WHOIS")) {
            line.evidence().complete(new Evidence.Taken(Optional.empty()));
          }
          if (line.target().equals(network.fold(token))) {
            return;
          }
        }
      }
    }
  }

  private void takeError(IrcLine line) {
    Evidence error = new Evidence.Failure(line.command(), IrcText.plain(line.lastParam()));
    synchronized (open) {
      for (SentLine one : open) {
        boolean isThis =
            line.tag(LABEL).isPresent()
                ? line.tag(LABEL).get().equals(one.label())
                : line.params().stream().map(network::fold).anyMatch(one.target()::equals);
        if (isThis && !one.command().equals("WHOIS") && one.evidence().complete(error)) {
          return;
        }
      }
    }
  }

  /** Ends all waiting: the connection is lost. */
  void close() {
    synchronized (open) {
      closed = true;
      for (SentLine line : open) {
        line.evidence().completeExceptionally(new IOException("the connection is closed"));
      }
    }
  }
}

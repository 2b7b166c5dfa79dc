package dev.midcourse.hub.redis;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.run.Run;
import dev.midcourse.ledger.LedgerReader;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the run of a session. In this order, the name is the whole id of a run; the id of an
 * agent's session, whose newest run is meant; or {@code tg_PROJECT_CHAT_MESSAGE}, which means the
 * newest run of the conversation to which the message of the Telegram chat belongs. If several
 * workers engaged with the message, the project is the name of the worker.
 */
final class SessionResolver {
  private static final Pattern TELEGRAM = Pattern.compile("tg_(.+)_(-?[0-9]+)_([0-9]+)");
  private static final ChannelName CHANNEL = ChannelName.of("telegram");

  private SessionResolver() {}

  static Optional<Run> find(LedgerReader reader, SessionName session) {
    return parsed(session.value(), RunId::of)
        .flatMap(reader::run)
        .or(() -> parsed(session.value(), SessionId::of).flatMap(reader::newestOf))
        .or(() -> ofMessage(reader, session.value()));
  }

  private static Optional<Run> ofMessage(LedgerReader reader, String name) {
    Matcher parts = TELEGRAM.matcher(name);
    if (!parts.matches()) {
      return Optional.empty();
    }
    MessageRef message = new MessageRef(CHANNEL, parts.group(2), parts.group(3));
    List<Run> runs =
        reader.chats().runsOf(message).stream()
            .flatMap(id -> newestOfConversation(reader, id).stream())
            .distinct()
            .toList();
    List<Run> ofProject =
        runs.stream().filter(run -> run.spec().worker().value().equals(parts.group(1))).toList();
    boolean oneWorker = runs.stream().map(run -> run.spec().worker()).distinct().count() == 1;
    return (oneWorker ? runs : ofProject).stream().max(Comparator.comparing(Run::createdAt));
  }

  private static Optional<Run> newestOfConversation(LedgerReader reader, RunId run) {
    RunId newest = reader.chats().conversationOf(run).flatMap(it -> it.newestRun()).orElse(run);
    return reader.run(newest);
  }

  private static <T> Optional<T> parsed(String text, Function<String, T> rule) {
    try {
      return Optional.of(rule.apply(text));
    } catch (RefusedException another) {
      return Optional.empty();
    }
  }
}

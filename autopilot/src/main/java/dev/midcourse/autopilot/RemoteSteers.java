package dev.midcourse.autopilot;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Steers in the comments of a change: {@code /midcourse steer TEXT}. Only a person whom Midcourse
 * knows by this login steers; other comments are remarks about the code. A comment has one effect,
 * however often it is read.
 */
final class RemoteSteers {
  private static final Logger LOG = System.getLogger(RemoteSteers.class.getName());
  private static final Pattern STEER =
      Pattern.compile("\\s*/midcourse\\s+steer\\s+(\\S.*)", Pattern.DOTALL);

  private final ForgePeople people;
  private final BiConsumer<LoopId, LoopCommand> orders;

  RemoteSteers(ForgePeople people, BiConsumer<LoopId, LoopCommand> orders) {
    this.people = people;
    this.orders = orders;
  }

  void take(Loop loop, ChangeSnapshot snapshot) {
    List<RemoteComment> comments =
        Stream.concat(
                snapshot.comments().stream(),
                snapshot.threads().stream().flatMap(it -> it.comments().stream()))
            .filter(it -> !it.bot())
            .toList();
    for (RemoteComment comment : comments) {
      Matcher order = STEER.matcher(comment.body());
      if (order.matches()) {
        steer(loop, comment, order.group(1).strip());
      }
    }
  }

  private void steer(Loop loop, RemoteComment comment, String text) {
    String forge = loop.spec().forge().orElseThrow().name();
    SteerId id = idOf(forge, loop, comment);
    boolean known = loop.guidance().stream().anyMatch(it -> it.id().equals(id));
    Optional<Author> author =
        known ? Optional.empty() : people.author(forge, comment.author(), loop);
    if (author.isEmpty()) {
      return;
    }
    try {
      orders.accept(
          loop.id(),
          new LoopCommand.Guide(author.get(), id, GuidanceScope.NOW, SteerText.of(text)));
    } catch (RefusedException refused) {
      LOG.log(
          Level.INFO,
          "Loop {0} does not take the steer of comment {1}: {2}",
          loop.id(),
          comment.id(),
          refused.problem().message());
    }
  }

  /** The same comment is the same steer. */
  private static SteerId idOf(String forge, Loop loop, RemoteComment comment) {
    byte[] name = (forge + "/" + loop.id() + "/" + comment.id()).getBytes(StandardCharsets.UTF_8);
    return SteerId.of(UUID.nameUUIDFromBytes(name).toString());
  }
}

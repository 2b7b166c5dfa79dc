package dev.midcourse.hub.loop;

import dev.midcourse.autopilot.ForgePeople;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.steer.Author;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The people behind the logins of forges: a person has the identity {@code FORGE:LOGIN}. Owners
 * steer all loops, administrators those of their workers.
 */
public record LoopPeople(Ledger ledger) implements ForgePeople {

  @Override
  public Optional<Author> author(String forge, String login, Loop loop) {
    boolean may =
        identities(forge, login).stream()
            .anyMatch(identity -> ledger.<Boolean>read(r -> maySteer(r, identity, loop)));
    return may
        ? Optional.of(new Author(loop.createdBy().group(), origin(forge)))
        : Optional.empty();
  }

  /** Forges do not tell the case of a login apart. */
  private static Set<Identity> identities(String forge, String login) {
    try {
      ChannelName channel = ChannelName.of(forge);
      return new HashSet<>(
          List.of(
              new Identity(channel, login), new Identity(channel, login.toLowerCase(Locale.ROOT))));
    } catch (RefusedException noIdentity) {
      return Set.of();
    }
  }

  private static String origin(String forge) {
    return "forge:" + forge;
  }

  private static boolean maySteer(LedgerReader reading, Identity identity, Loop loop) {
    return reading.chats().personOf(identity).stream()
        .flatMap(person -> reading.chats().roles(person.id()).stream())
        .anyMatch(grant -> allows(grant, loop));
  }

  private static boolean allows(RoleGrant grant, Loop loop) {
    boolean here = grant.worker().filter(worker -> !worker.equals(loop.spec().worker())).isEmpty();
    return grant.role() == PersonRole.OWNER || (grant.role() == PersonRole.ADMIN && here);
  }
}

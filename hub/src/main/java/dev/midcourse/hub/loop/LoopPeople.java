package dev.midcourse.hub.loop;

import dev.midcourse.autopilot.ForgePeople;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Identity;
import dev.midcourse.core.chat.PersonRole;
import dev.midcourse.core.chat.RoleGrant;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.steer.Author;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import java.util.Locale;
import java.util.Optional;

/**
 * The people behind the logins of forges: a person has the identity {@code FORGE:LOGIN}. Owners
 * steer all loops, administrators those of their workers.
 */
public record LoopPeople(Ledger ledger) implements ForgePeople {

  @Override
  public Optional<Author> author(String forge, String login, Loop loop) {
    Identity identity;
    try {
      identity = new Identity(ChannelName.of(forge), login.toLowerCase(Locale.ROOT));
    } catch (RefusedException noIdentity) {
      return Optional.empty();
    }
    return ledger.<Boolean>read(reading -> maySteer(reading, identity, loop))
        ? Optional.of(loop.createdBy()).map(by -> new Author(by.group(), origin(forge)))
        : Optional.empty();
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

package dev.midcourse.hub.api.chat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.link.LinkCode;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.time.TimeZones;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.chat.ChatRequests.Link;
import dev.midcourse.hub.api.chat.ChatRequests.NewPerson;
import dev.midcourse.hub.api.chat.ChatRequests.PersonChange;
import dev.midcourse.hub.api.chat.ChatRequests.RoleChange;
import dev.midcourse.hub.api.chat.ChatViews.IssuedCode;
import dev.midcourse.hub.api.chat.ChatViews.OnePerson;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatReader;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * People, their accounts, their roles, and the codes that link accounts. A change counts from the
 * next message on: nothing is cached. Each change is recorded in the log.
 */
public final class PeopleOperations {
  private static final int CODE_LENGTH = 8;
  private static final String DEFAULT_OWNER = "Owner";

  private final HubContext context;
  private final Ledger ledger;
  private final AccessControl accessControl;
  private final ApprovalDecider decider;

  public PeopleOperations(HubContext context, ApprovalDecider decider) {
    this.context = context;
    this.decider = decider;
    this.ledger = context.engine().ledger();
    this.accessControl = context.permits();
  }

  List<OnePerson> list(Caller caller) {
    accessControl.require(caller, new Action.SeeChats());
    return ledger.read(at -> {
      ChatReader chats = at.chats();
      return chats.people().stream().map(person -> view(chats, person)).toList();
    });
  }

  OnePerson show(Caller caller, String named) {
    accessControl.require(caller, new Action.SeeChats());
    return ledger.read(at -> view(at.chats(), ChatNames.person(at.chats(), named)));
  }

  OnePerson add(Caller caller, NewPerson request) {
    accessControl.require(caller, new Action.ManagePeople("add a person"));
    Instant now = context.clock().instant();
    return ledger.write(tx -> {
      Person person =
          new Person(
              freshId(tx.chats(), request.name()),
              request.name(),
              request.zone().map(zone -> TimeZones.parse("zone", zone)),
              now);
      tx.chats().put(person);
      ChangeLog.append(tx, now, caller, "added person " + person.id());
      return view(tx.chats(), person);
    });
  }

  OnePerson change(Caller caller, String named, PersonChange request) {
    accessControl.require(caller, new Action.ManagePeople("change a person"));
    Instant now = context.clock().instant();
    return ledger.write(tx -> {
      Person before = ChatNames.person(tx.chats(), named);
      Person person =
          new Person(
              before.id(),
              request.name().orElse(before.name()),
              request.zone().isEmpty()
                  ? before.zone()
                  : request
                      .zone()
                      .filter(zone -> !zone.isBlank())
                      .map(zone -> TimeZones.parse("zone", zone)),
              before.createdAt());
      tx.chats().put(person);
      ChangeLog.append(tx, now, caller, "changed person " + person.id());
      return view(tx.chats(), person);
    });
  }

  /** Deletes a person with accounts and roles, and returns it as it was. */
  OnePerson delete(Caller caller, String named) {
    accessControl.require(caller, new Action.ManagePeople("delete a person"));
    Instant now = context.clock().instant();
    return ledger.write(tx -> {
      Person person = ChatNames.person(tx.chats(), named);
      OnePerson before = view(tx.chats(), person);
      tx.chats().deletePerson(person.id());
      ChangeLog.append(tx, now, caller, "deleted person " + person.id());
      return before;
    });
  }

  /** Links an account by hand. An account of another person is refused: unlink it first. */
  OnePerson link(Caller caller, String named, Link request) {
    accessControl.require(caller, new Action.ManagePeople("link an account"));
    Identity identity = Identity.of(request.identity());
    Instant now = context.clock().instant();
    OnePerson linked =
        ledger.write(tx -> {
          Person person = ChatNames.person(tx.chats(), named);
          tx.chats()
              .personOf(identity)
              .filter(other -> !other.id().equals(person.id()))
              .ifPresent(other -> {
                throw Problem.of(
                        Code.DUPLICATE,
                        "identity",
                        "an account of nobody",
                        identity + " belongs to person " + other.id() + "; unlink it first")
                    .refused();
              });
          String name = request.displayName().orElse(person.name());
          tx.chats().put(new LinkedIdentity(identity, person.id(), name, now));
          ChangeLog.append(tx, now, caller, "linked " + identity + " to person " + person.id());
          return view(tx.chats(), person);
        });
    decider.settle(caller);
    return linked;
  }

  OnePerson unlink(Caller caller, String named, String account) {
    accessControl.require(caller, new Action.ManagePeople("unlink an account"));
    Identity identity = Identity.of(account);
    Instant now = context.clock().instant();
    return ledger.write(tx -> {
      Person person = ChatNames.person(tx.chats(), named);
      if (tx.chats().identities(person.id()).stream()
          .noneMatch(linked -> linked.identity().equals(identity))) {
        throw Problem.of(
                Code.NOT_FOUND,
                "identity",
                "an account of the person",
                identity + " is no account of person " + person.id())
            .refused();
      }
      tx.chats().unlink(identity);
      ChangeLog.append(tx, now, caller, "unlinked " + identity + " from person " + person.id());
      return view(tx.chats(), person);
    });
  }

  OnePerson grant(Caller caller, String named, RoleChange request) {
    accessControl.require(caller, new Action.Grant(request.role(), request.worker()));
    request.worker().ifPresent(context.workers()::refuseMistyped);
    Instant now = context.clock().instant();
    OnePerson granted =
        ledger.write(tx -> {
          Person person = ChatNames.person(tx.chats(), named);
          tx.chats()
              .put(
                  new RoleGrant(
                      person.id(), request.role(), request.worker(), personOf(caller), now));
          ChangeLog.append(tx, now, caller, "granted person " + person.id() + " " + words(request));
          return view(tx.chats(), person);
        });
    decider.settle(caller);
    return granted;
  }

  OnePerson revoke(Caller caller, String named, RoleChange request) {
    accessControl.require(caller, new Action.Grant(request.role(), request.worker()));
    Instant now = context.clock().instant();
    return ledger.write(tx -> {
      Person person = ChatNames.person(tx.chats(), named);
      if (tx.chats().roles(person.id()).stream()
          .noneMatch(
              grant -> grant.role() == request.role() && grant.worker().equals(request.worker()))) {
        throw Problem.of(
                Code.NOT_FOUND,
                "role",
                "a role of the person",
                "person " + person.id() + " is not " + words(request))
            .refused();
      }
      tx.chats().revoke(person.id(), request.role(), request.worker());
      ChangeLog.append(tx, now, caller, "took " + words(request) + " from person " + person.id());
      return view(tx.chats(), person);
    });
  }

  /** Issues a code that links an account to the person; an earlier code of the person ends. */
  IssuedCode issueCode(Caller caller, String named) {
    accessControl.require(caller, new Action.ManagePeople("make a code that links an account"));
    Instant now = context.clock().instant();
    return ledger.write(tx -> {
      Person person = ChatNames.person(tx.chats(), named);
      ChangeLog.append(tx, now, caller, "made a link code for person " + person.id());
      return issue(tx, person, now);
    });
  }

  /**
   * Issues a code that makes the account that sends it an account of an owner. An owner without an
   * account gets the code; if there is none, a new person becomes owner.
   */
  IssuedCode pair(Caller caller, Optional<String> name) {
    accessControl.require(caller, new Action.Grant(PersonRole.OWNER, Optional.empty()));
    accessControl.require(caller, new Action.ManagePeople("pair an owner"));
    Instant now = context.clock().instant();
    return ledger.write(tx -> {
      Person owner =
          unpairedOwner(tx.chats(), name).orElseGet(() -> newOwner(tx, name, caller, now));
      ChangeLog.append(tx, now, caller, "made a code that pairs owner " + owner.id());
      return issue(tx, owner, now);
    });
  }

  private static Optional<Person> unpairedOwner(ChatReader chats, Optional<String> name) {
    return chats.roles().stream()
        .filter(grant -> grant.role() == PersonRole.OWNER)
        .map(RoleGrant::person)
        .filter(person -> chats.identities(person).isEmpty())
        .flatMap(person -> chats.person(person).stream())
        .filter(person -> name.isEmpty() || name.get().equals(person.name()))
        .findFirst();
  }

  private Person newOwner(Transaction tx, Optional<String> name, Caller caller, Instant now) {
    String title = name.orElse(DEFAULT_OWNER);
    Person owner = new Person(freshId(tx.chats(), title), title, Optional.empty(), now);
    tx.chats().put(owner);
    tx.chats()
        .put(new RoleGrant(owner.id(), PersonRole.OWNER, Optional.empty(), personOf(caller), now));
    return owner;
  }

  private IssuedCode issue(Transaction tx, Person person, Instant now) {
    tx.chats().linkCodes().stream()
        .filter(code -> code.person().equals(person.id()))
        .forEach(tx.chats()::deleteLinkCode);
    String text = context.ids().token(CODE_LENGTH);
    LinkCode code = LinkCode.issue(text, person.id(), now);
    tx.chats().put(code);
    return new IssuedCode(
        person.id().value(), person.name(), text, "/link " + text, code.expiresAt());
  }

  /** An id that people recognise: the letters of the name, with a number if it is taken. */
  private PersonId freshId(ChatReader chats, String name) {
    String plain =
        java.text.Normalizer.normalize(name, java.text.Normalizer.Form.NFKD)
            .toLowerCase(Locale.ROOT)
            .replaceAll("\\p{M}", "")
            .replaceAll("[^a-z0-9]+", "-")
            .replaceAll("^-+|-+$", "");
    String slug = plain.isEmpty() ? "person" : plain.substring(0, Math.min(40, plain.length()));
    PersonId id = PersonId.of(slug);
    return chats.person(id).isEmpty() ? id : PersonId.of(slug + "-" + context.ids().token(4));
  }

  private static String words(RoleChange request) {
    return request.role().wire()
        + request.worker().map(worker -> " of " + worker).orElse(" of all workers");
  }

  /** The person who makes the request; empty for the command line and the page. */
  private static Optional<PersonId> personOf(Caller caller) {
    return caller instanceof Caller.Person person
        ? person.roles().stream().map(RoleGrant::person).findFirst()
        : Optional.empty();
  }

  private static OnePerson view(ChatReader chats, Person person) {
    return OnePerson.of(person, chats.identities(person.id()), chats.roles(person.id()));
  }
}

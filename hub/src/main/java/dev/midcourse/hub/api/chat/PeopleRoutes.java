package dev.midcourse.hub.api.chat;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.hub.api.chat.ChatRequests.Link;
import dev.midcourse.hub.api.chat.ChatRequests.NewPerson;
import dev.midcourse.hub.api.chat.ChatRequests.Pairing;
import dev.midcourse.hub.api.chat.ChatRequests.PersonChange;
import dev.midcourse.hub.api.chat.ChatRequests.RoleChange;
import dev.midcourse.hub.api.chat.ChatRequests.Unlink;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import java.util.List;

/** The HTTP routes of people, their accounts and roles. */
public final class PeopleRoutes {
  private static final String PERSON = "/api/v1/people/{person}";

  private final PeopleOperations people;

  public PeopleRoutes(PeopleOperations people) {
    this.people = people;
  }

  public List<Route<?, ?>> routes() {
    return List.of(
        Route.get("/api/v1/people", "The people who talk to workers.")
            .answers(200, "the people", ChatExamples.PEOPLE)
            .by(call -> ApiResponse.ok(new ChatViews.People(people.list(call.caller())))),
        Route.post("/api/v1/people", "Add a person.")
            .takes(NewPerson.class, ChatExamples.NEW_PERSON)
            .answers(201, "the person", ChatExamples.PERSON)
            .by(call -> ApiResponse.created(people.add(call.caller(), call.body()))),
        Route.get(PERSON, "A person with accounts and roles.")
            .answers(200, "the person", ChatExamples.PERSON)
            .by(call -> ApiResponse.ok(people.show(call.caller(), call.path("person")))),
        Route.patch(PERSON, "Rename a person, or set the time zone.")
            .takes(PersonChange.class, ChatExamples.PERSON_CHANGE)
            .answers(200, "the person", ChatExamples.PERSON)
            .by(call ->
                ApiResponse.ok(people.change(call.caller(), call.path("person"), call.body()))),
        Route.delete(PERSON, "Delete a person with accounts and roles.")
            .answers(200, "the person as it was", ChatExamples.PERSON)
            .by(call -> ApiResponse.ok(people.delete(call.caller(), call.path("person")))),
        Route.post(PERSON + "/identities", "Link an account to a person.")
            .takes(Link.class, ChatExamples.LINK)
            .answers(200, "the person", ChatExamples.PERSON)
            .refuses(Code.DUPLICATE)
            .by(call ->
                ApiResponse.ok(people.link(call.caller(), call.path("person"), call.body()))),
        Route.delete(PERSON + "/identities", "Take an account from a person.")
            .with(Unlink.class)
            .answers(200, "the person", ChatExamples.PERSON)
            .by(call ->
                ApiResponse.ok(
                    people.unlink(call.caller(), call.path("person"), call.query().identity()))),
        Route.post(
                PERSON + "/link-codes",
                "Make a single-use code; the account that sends it becomes the person's.")
            .answers(201, "a code that lives ten minutes and five tries", ChatExamples.CODE)
            .by(call -> ApiResponse.created(people.issueCode(call.caller(), call.path("person")))),
        Route.post(PERSON + "/roles", "Grant a role.")
            .takes(RoleChange.class, ChatExamples.ROLE)
            .answers(200, "the person", ChatExamples.PERSON)
            .by(call ->
                ApiResponse.ok(people.grant(call.caller(), call.path("person"), call.body()))),
        Route.delete(PERSON + "/roles", "Take a role back.")
            .with(RoleChange.class)
            .answers(200, "the person", ChatExamples.PERSON)
            .by(call ->
                ApiResponse.ok(people.revoke(call.caller(), call.path("person"), call.query()))),
        Route.post(
                "/api/v1/owner-codes",
                "Make a single-use code; the account that sends it becomes an owner's.")
            .takes(Pairing.class, ChatExamples.PAIRING)
            .answers(201, "a code that lives ten minutes and five tries", ChatExamples.CODE)
            .by(call -> ApiResponse.created(people.pair(call.caller(), call.body().name()))));
  }
}

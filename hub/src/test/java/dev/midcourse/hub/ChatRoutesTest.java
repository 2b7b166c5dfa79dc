package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.link.LinkRedemption;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.chat.route.Gate;
import dev.midcourse.core.chat.route.GateResult;
import dev.midcourse.core.chat.route.RoutingAction;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.hub.RawClient.Reply;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** People, roles, chats, wirings and messages over HTTP, with a real hub. */
class ChatRoutesTest {
  private static final String API = "/api/v1";
  private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

  @TempDir private Path data;
  private HubFixture fixture;
  private RawClient main;
  private StoredChats stored;
  private Chat family;

  @BeforeEach
  void open() throws Exception {
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [workers.andy]
        agent = "rehearsal"
        [workers.eve]
        agent = "rehearsal"
        [groups.boss]
        role = "lead"
        workers = ["andy", "eve"]
        [groups.looker]
        role = "observer"
        [groups.andy]
        role = "worker"
        [groups.relatives]
        role = "member"
        """);
    fixture = HubFixture.asTheFileSays(data);
    main = fixture.socket();
    stored = new StoredChats(ledger());
    family = stored.chat("family", "-100", "Family", ChatKind.GROUP);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Ledger ledger() {
    return fixture.hub().engine().ledger();
  }

  @Test
  void a_person_is_added_changed_and_deleted() {
    Reply added = post("/people", "{'name':'Ada Löve','zone':'europe/london'}");
    assertThat(added.status()).as(added.body()).isEqualTo(201);
    assertThat(added.text("person_id")).isEqualTo("ada-love");
    assertThat(added.text("zone")).isEqualTo("Europe/London");
    assertThat(post("/people", "{'name':'Ada Löve'}").text("person_id")).startsWith("ada-love-");
    assertThat(patch("/people/ada-love", "{'name':'Countess','zone':''}").json().has("zone"))
        .isFalse();
    assertThat(main.get(API + "/people/countess").text("person_id")).isEqualTo("ada-love");
    assertThat(patch("/people/ada-love", "{'zone':'Berln'}").status()).isEqualTo(422);
    assertThat(delete("/people/countess").status()).isEqualTo(200);
    Reply gone = main.get(API + "/people/ada-love");
    assertThat(gone.status()).isEqualTo(404);
    assertThat(gone.text("detail")).contains("did you mean");
    assertThat(log()).anyMatch(line -> line.endsWith("added person ada-love"));
    assertThat(log()).anyMatch(line -> line.endsWith("deleted person ada-love"));
  }

  @Test
  void an_account_belongs_to_one_person() {
    post("/people", "{'name':'Ada'}");
    post("/people", "{'name':'Bob'}");
    assertThat(post("/people/ada/identities", "{'identity':'telegram:42'}").status())
        .isEqualTo(200);
    assertThat(main.get(API + "/people/telegram:42").text("name")).isEqualTo("Ada");
    Reply taken = post("/people/bob/identities", "{'identity':'telegram:42'}");
    assertThat(taken.status()).isEqualTo(409);
    assertThat(taken.text("detail")).contains("belongs to person ada");
    assertThat(post("/people/bob/identities", "{'identity':'nobody'}").status()).isEqualTo(422);
    assertThat(delete("/people/bob/identities?identity=telegram:42").status()).isEqualTo(404);
    assertThat(delete("/people/ada/identities?identity=telegram:42").json().path("identities"))
        .isEmpty();
  }

  @Test
  void a_link_code_is_shown_once_and_stored_as_a_digest() {
    post("/people", "{'name':'Ada'}");
    String first = post("/people/ada/link-codes", "{}").text("code");
    Reply issued = post("/people/ada/link-codes", "{}");
    String code = issued.text("code");
    assertThat(issued.text("command")).isEqualTo("/link " + code);
    var codes = ledger().read(at -> at.chats().linkCodes());
    assertThat(codes)
        .singleElement()
        .satisfies(it -> {
          assertThat(it.digest()).doesNotContain(code);
          assertThat(it.triesLeft()).isEqualTo(5);
        });
    Instant now = Instant.now();
    assertThat(LinkRedemption.redeem(codes, first, now)).isInstanceOf(LinkRedemption.Wrong.class);
    assertThat(LinkRedemption.redeem(codes, code, now)).isInstanceOf(LinkRedemption.Linked.class);
    assertThat(log()).noneMatch(line -> line.contains(code));
  }

  @Test
  void the_first_owner_is_paired_by_a_code_and_an_unused_one_is_replaced() {
    Reply first = post("/owner-codes", "{}");
    assertThat(first.status()).isEqualTo(201);
    assertThat(post("/owner-codes", "{}").text("person_id")).isEqualTo(first.text("person_id"));
    JsonNode owner = main.get(API + "/people/owner").json();
    assertThat(owner.path("roles").path(0).path("role").asString()).isEqualTo("owner");
    post("/people/owner/identities", "{'identity':'telegram:1'}");
    Reply second = post("/owner-codes", "{'name':'Grace'}");
    assertThat(second.text("person_id")).isEqualTo("grace");
    // The person who runs the hub is an owner in the terminal channel.
    assertThat(main.get(API + "/people").json().path("people")).hasSize(3);
  }

  @Test
  void a_role_follows_the_rules_of_its_kind() {
    post("/people", "{'name':'Ada'}");
    assertThat(post("/people/ada/roles", "{'role':'owner','worker':'andy'}").status())
        .isEqualTo(422);
    assertThat(post("/people/ada/roles", "{'role':'member'}").status()).isEqualTo(422);
    assertThat(post("/people/ada/roles", "{'role':'member','worker':'anddy'}").text("detail"))
        .contains("did you mean andy");
    post("/people/ada/roles", "{'role':'member','worker':'andy'}");
    assertThat(post("/people/ada/roles", "{'role':'member','worker':'andy'}").json().path("roles"))
        .hasSize(1);
    assertThat(delete("/people/ada/roles?role=member&worker=eve").status()).isEqualTo(404);
    assertThat(delete("/people/ada/roles?role=member&worker=andy").json().path("roles")).isEmpty();
    assertThat(log()).anyMatch(line -> line.endsWith("granted person ada member of andy"));
  }

  @Test
  void a_chat_is_found_by_id_name_and_platform_and_keeps_its_policy() {
    for (String name : List.of("family", "FAMILY", "telegram:-100")) {
      assertThat(main.get(API + "/chats/" + name).text("chat_id")).isEqualTo("family");
    }
    assertThat(main.get(API + "/chats/famly").text("detail")).contains("did you mean family");
    assertThat(patch("/chats/family", "{'unknown_sender_policy':'strict'}").status())
        .isEqualTo(200);
    assertThat(main.get(API + "/chats/family").text("unknown_sender_policy")).isEqualTo("strict");
    assertThat(patch("/chats/family", "{'unknown_sender_policy':'lax'}").text("detail"))
        .contains("one of: strict, request_approval, public");
    assertThat(delete("/chats/family").status()).isEqualTo(200);
    assertThat(main.get(API + "/chats").json().path("chats")).isEmpty();
  }

  @Test
  void a_wiring_has_the_defaults_of_its_chat_and_every_field_can_be_set() {
    Reply wired = post("/wirings", "{'chat':'Family','worker':'andy'}");
    assertThat(wired.status()).as(wired.body()).isEqualTo(201);
    assertThat(wired.text("engage_mode")).isEqualTo("mention");
    assertThat(wired.text("session_mode")).isEqualTo("shared");
    String id = wired.text("wiring_id");
    Reply again = post("/wirings", "{'chat':'family','worker':'andy'}");
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.text("detail")).contains(id);
    JsonNode changed =
        patch(
                "/wirings/" + id,
                "{'engage_pattern':'^andy','sender_scope':'known','ignored_message_policy':"
                    + "'accumulate','session_mode':'per_worker','priority':3,'on_live_run':"
                    + "'interrupt','debounce':'1500ms'}")
            .json();
    assertThat(changed.path("engage_mode").asString()).isEqualTo("pattern");
    assertThat(changed.path("engage_pattern").asString()).isEqualTo("^andy");
    assertThat(changed.path("session_mode").asString()).isEqualTo("per_worker");
    assertThat(changed.path("debounce").asString()).isEqualTo("1500ms");
    JsonNode back = patch("/wirings/" + id, "{'engage_mode':'mention_sticky'}").json();
    assertThat(back.has("engage_pattern")).isFalse();
    assertThat(back.path("priority").asInt()).isEqualTo(3);
    assertThat(delete("/wirings/" + id).status()).isEqualTo(200);
    assertThat(main.get(API + "/wirings").json().path("wirings")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'engage_pattern':'(a'}                            | is not a regular expression",
        "{'engage_mode':'pattern'}                          | needs an engage_pattern",
        "{'engage_mode':'mention','engage_pattern':'x'}     | takes no engage_pattern",
        "{'debounce':'6m'}                                  | at most 5m",
        "{'debounce':'soon'}                                | must be like 30s",
      })
  void a_wrong_wiring_is_refused_when_it_is_set(String change, String expected) {
    String id = post("/wirings", "{'chat':'family','worker':'andy'}").text("wiring_id");
    Reply refused = patch("/wirings/" + id, change);
    assertThat(refused.status()).as(refused.body()).isEqualTo(422);
    assertThat(refused.text("detail")).contains(expected);
  }

  @Test
  void why_tells_decision_gates_runs_receipts_and_answers() {
    String run = fixture.busyRun();
    String steer =
        main.post(API + "/runs/" + run + "/steers", "{\"text\":\"use tabs\"}").text("steer_id");
    RoutingDecision decision =
        new RoutingDecision(
            List.of(
                new GateResult(Gate.CHAT, true, Optional.empty(), "the chat has a worker"),
                new GateResult(
                    Gate.ENGAGE, true, Optional.of(WorkerName.of("andy")), "it mentions the bot")),
            List.of(
                new RoutingAction.SteerRun(
                    new dev.midcourse.core.chat.ConversationKey(
                        WorkerName.of("andy"), Optional.of(family.id()), Optional.empty()),
                    RunId.of(run),
                    SteerMode.STEER,
                    1)));
    long number = stored.message(family, "$event:server", "use tabs", decision);
    ledger()
        .write(tx -> {
          tx.chats()
              .connect(
                  StoredChats.inbound(family, "$event:server", "").ref(),
                  RunId.of(run),
                  Optional.of(SteerId.of(steer)));
          return true;
        });
    stored.outbound("o1", family, OutboundState.SENT, Optional.of(RunId.of(run)));
    for (String name :
        List.of(Long.toString(number), "%24event:server", "telegram:-100:%24event:server")) {
      JsonNode why = main.get(API + "/why?message=" + name).json();
      assertThat(why.path("message").path("number").asLong()).as(name).isEqualTo(number);
      assertThat(why.path("message").path("gates")).hasSize(2);
      assertThat(why.path("message").path("actions").path(0).path("words").asString())
          .isEqualTo("Steered run " + run);
      assertThat(why.path("runs").path(0).path("run_id").asString()).isEqualTo(run);
      assertThat(why.path("steers").path(0).path("steer_id").asString()).isEqualTo(steer);
      assertThat(why.path("answers").path(0).path("text").asString()).isEqualTo("answer o1");
      assertThat(why.path("chat").path("title").asString()).isEqualTo("Family");
    }
    assertThat(main.get(API + "/why?message=4711").status()).isEqualTo(404);
  }

  @Test
  void messages_come_in_pages_and_a_chat_has_both_directions() {
    RoutingDecision asked =
        new RoutingDecision(List.of(), List.of(new RoutingAction.RequestSenderApproval()));
    for (int i = 1; i <= 3; i++) {
      stored.message(family, "m" + i, "text " + i, asked);
    }
    stored.outbound("o1", family, OutboundState.FAILED, Optional.empty());
    JsonNode first = main.get(API + "/messages?limit=2").json();
    assertThat(first.path("messages").path(0).path("text").asString()).isEqualTo("text 3");
    long next = first.path("next").asLong();
    JsonNode rest = main.get(API + "/messages?chat=family&before=" + next).json();
    assertThat(rest.path("messages")).hasSize(1);
    assertThat(rest.has("next")).isFalse();
    JsonNode log = main.get(API + "/chats/family/messages").json();
    assertThat(log.path("received")).hasSize(3);
    assertThat(log.path("sent").path(0).path("problem").asString())
        .isEqualTo("the bot was removed");
    assertThat(main.get(API + "/messages?limit=0").status()).isEqualTo(422);
  }

  @Test
  void a_message_that_was_not_sent_is_dismissed_or_sent_again() {
    stored.outbound("o1", family, OutboundState.FAILED, Optional.empty());
    stored.outbound("o2", family, OutboundState.UNKNOWN, Optional.empty());
    stored.outbound("o3", family, OutboundState.SENT, Optional.empty());
    assertThat(main.get(API + "/outbox").json().path("outbox")).hasSize(2);
    assertThat(post("/outbox/o1/dismiss", "").text("state")).isEqualTo("dismissed");
    Reply queued = post("/outbox/o2/retry", "");
    assertThat(queued.text("state")).isEqualTo("queued");
    assertThat(queued.json().path("tries").asInt(-1)).isZero();
    assertThat(post("/outbox/o3/retry", "").status()).isEqualTo(409);
    assertThat(post("/outbox/o1/retry", "").status()).isEqualTo(409);
    assertThat(main.get(API + "/outbox").json().path("outbox")).isEmpty();
    assertThat(main.get(API + "/outbox?state=gone").status()).isEqualTo(422);
  }

  @Test
  void approvals_are_listed_with_the_workers_that_can_be_chosen_until_they_expire() {
    post("/wirings", "{'chat':'family','worker':'andy'}");
    Chat other = stored.chat("other", "7", "Mallory", ChatKind.DIRECT);
    stored.pendingSender("s1", family, FAR);
    stored.pendingChat("c1", other, FAR);
    stored.pendingSender("old", other, StoredChats.NOON);
    JsonNode approvals = main.get(API + "/approvals").json().path("approvals");
    assertThat(approvals.valueStream().map(it -> it.path("approval_id").asString()))
        .containsExactlyInAnyOrder("s1", "c1");
    for (JsonNode approval : approvals) {
      boolean sender = approval.path("kind").asString().equals("unknown_sender");
      assertThat(approval.path("workers").valueStream().map(JsonNode::asString))
          .containsExactlyElementsOf(sender ? List.of("andy") : List.of("andy", "eve"));
    }
    assertThat(post("/approvals/s1", "{'decision':'wire','worker':'andy'}").text("detail"))
        .contains("allow or deny the sender");
    assertThat(post("/approvals/c1", "{'decision':'wire'}").text("detail"))
        .contains("name the worker");
    assertThat(post("/approvals/c1", "{'decision':'wire','worker':'anddy'}").text("detail"))
        .contains("did you mean andy");
  }

  @ParameterizedTest
  @CsvSource({"boss", "looker", "andy", "relatives"})
  void a_group_that_is_not_main_sees_and_changes_nothing(String group) {
    post("/people", "{'name':'Ada'}");
    String wiring = post("/wirings", "{'chat':'family','worker':'andy'}").text("wiring_id");
    stored.pendingSender("s1", family, FAR);
    stored.outbound("o1", family, OutboundState.FAILED, Optional.empty());
    String as = "?as=" + group;
    List<Reply> replies =
        List.of(
            main.get(API + "/people" + as),
            main.get(API + "/people/ada" + as),
            post("/people" + as, "{'name':'Eve'}"),
            patch("/people/ada" + as, "{'name':'Eve'}"),
            delete("/people/ada" + as),
            post("/people/ada/identities" + as, "{'identity':'telegram:1'}"),
            delete("/people/ada/identities" + as + "&identity=telegram:1"),
            post("/people/ada/link-codes" + as, ""),
            post("/people/ada/roles" + as, "{'role':'member','worker':'andy'}"),
            delete("/people/ada/roles" + as + "&role=member&worker=andy"),
            post("/owner-codes" + as, "{}"),
            main.get(API + "/chats" + as),
            main.get(API + "/chats/family" + as),
            patch("/chats/family" + as, "{'name':'x'}"),
            delete("/chats/family" + as),
            main.get(API + "/chats/family/messages" + as),
            main.get(API + "/conversations" + as),
            main.get(API + "/wirings" + as),
            post("/wirings" + as, "{'chat':'family','worker':'eve'}"),
            patch("/wirings/" + wiring + as, "{'priority':1}"),
            delete("/wirings/" + wiring + as),
            main.get(API + "/messages" + as),
            main.get(API + "/why" + as + "&message=1"),
            main.get(API + "/approvals" + as),
            post("/approvals/s1" + as, "{'decision':'allow'}"),
            main.get(API + "/questions" + as),
            main.get(API + "/outbox" + as),
            post("/outbox/o1/dismiss" + as, ""),
            post("/outbox/o1/retry" + as, ""));
    for (int i = 0; i < replies.size(); i++) {
      assertThat(replies.get(i).status()).as(i + ": " + replies.get(i).body()).isEqualTo(403);
      assertThat(replies.get(i).text("detail")).contains(group + " may not");
    }
    assertThat(log()).noneMatch(line -> line.startsWith(group));
  }

  private List<String> log() {
    Log.Filter noted = new Log.Filter(Optional.of(RunId.of("none")), Set.of("noted"));
    return ledger().log().after(0, noted, 1000).entries().stream()
        .map(entry ->
            dev.midcourse.ledger.json.JsonCodec.mapper()
                .readTree(entry.json())
                .path("text")
                .asString())
        .toList();
  }

  private Reply post(String path, String body) {
    return main.post(API + path, json(body));
  }

  private Reply patch(String path, String body) {
    return main.ask("PATCH", API + path, json(body));
  }

  private Reply delete(String path) {
    return main.ask("DELETE", API + path, "");
  }

  private static String json(String body) {
    return body.replace('\'', '"');
  }
}

package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.DisplayWidth;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands about people and chats, with a real hub. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChatCommandsTest {
  private RealHub hub;

  @BeforeAll
  void start(@TempDir Path data) throws IOException {
    StoredChats.in(data);
    hub = RealHub.start(data);
  }

  @AfterAll
  void end() throws IOException, InterruptedException {
    hub.close();
  }

  @Test
  void a_person_gets_an_account_a_zone_and_a_role_and_is_removed() {
    assertThat(done("people", "add", "Bob B.", "--zone", "Europe/Berlin"))
        .contains("Added bob-b", "midcourse people link bob-b");
    assertThat(done("people", "link", "bob-b", "telegram:5")).contains("Linked telegram:5");
    assertThat(done("people", "zone", "bob-b", "-")).contains("the zone of the hub");
    assertThat(done("people", "grant", "bob-b", "member", "--worker", "andy"))
        .isEqualTo("bob-b: member of andy\n");
    assertThat(done("people", "show", "telegram:5")).contains("Bob B.", "member of andy");
    assertThat(done("people")).contains("PERSON", "bob-b", "telegram:5", "owner");
    assertThat(done("people", "revoke", "bob-b", "member", "--worker", "andy"))
        .isEqualTo("bob-b: no role\n");
    assertThat(done("people", "unlink", "bob-b", "telegram:5")).contains("Unlinked");
    assertThat(done("people", "rename", "bob-b", "Robert")).contains("Renamed bob-b");
    assertThat(done("people", "remove", "robert")).isEqualTo("Removed bob-b\n");
  }

  @Test
  void a_code_is_printed_alone_so_that_it_can_be_copied() {
    CliRunner.Typed code = hub.cli().type("people", "link", "ada");
    assertThat(code.out()).matches("/link [a-z0-9]{8}\n");
    assertThat(code.err()).contains("Ada", "expires in 9 min");
    CliRunner.Typed owner = hub.cli().type("people", "pair", "--name", "Hopper");
    assertThat(owner.out()).startsWith("/link ");
    assertThat(owner.err()).contains("makes its sender an owner");
    assertThat(done("people", "show", "hopper")).contains("owner");
  }

  @Test
  void a_chat_is_wired_changed_and_shown() {
    assertThat(done("wire", "family", "andy", "--pattern", "(?i)^andy", "--priority", "2"))
        .contains("Wired The family at home to andy", "pattern (?i)^andy");
    String id =
        hub.cli().type("wirings", "--json").out().replaceAll(".*wiring_id\":\"(\\w+).*\\s", "$1");
    assertThat(done("wirings", "set", id, "--engage", "mention", "--on-live-run", "interrupt"))
        .contains("mention, senders all", "live run interrupt");
    assertThat(done("chats", "show", "telegram:-100"))
        .contains("andy (" + id + ")", "hello there", "Asked whether the sender may talk here");
    assertThat(done("chats", "policy", "family", "strict")).endsWith(": strict\n");
    assertThat(done("chats")).contains("family", "andy", "strict", "not wired");
    assertThat(done("wirings", "remove", id)).contains("Removed the wiring");
    done("chats", "policy", "family", "request_approval");
  }

  @Test
  void why_shows_gates_and_decision() {
    for (String name : new String[] {"1", "m1", "telegram:-100:m1"}) {
      assertThat(done("why", name))
          .contains("The family at home", "Grace (telegram:99)", "the sender is unknown")
          .contains("Asked whether the sender may talk here", "Waits for approval");
    }
  }

  @Test
  void next_lists_what_waits_with_commands_to_paste() {
    assertThat(done("next"))
        .contains("p1: Grace wants to talk in The family at home")
        .contains("midcourse approvals allow p1\n", "midcourse approvals deny p1\n")
        .contains("p2: Grace writes in the new chat Grace")
        .contains("midcourse approvals wire p2 any\n", "midcourse approvals deny p2\n")
        .doesNotContain("midcourse approvals create")
        .contains("o1: was not sent: the bot was removed from the chat")
        .contains("o3: not delivered: the phone is off")
        .contains("midcourse outbox retry o1\n", "midcourse outbox dismiss o1\n");
  }

  @Test
  void a_message_that_was_not_sent_is_listed_and_dismissed() {
    assertThat(done("outbox")).contains("o1", "failed", "The answer is 42.");
    assertThat(done("outbox", "dismiss", "o2")).isEqualTo("o2: dismissed\n");
    CliRunner.Typed again = hub.cli().type("outbox", "retry", "o2");
    assertThat(again.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(again.err()).contains("is dismissed", "midcourse outbox");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "people shwo ada             | USAGE     | expected one of        | midcourse people show",
        "people show                 | USAGE     | expected PERSON        | midcourse help people",
        "people show adda            | NOT_FOUND | did you mean ada       | midcourse people",
        "people grant ada king       | REFUSED   | owner, admin, member   | ''",
        "people zone ada Berln       | REFUSED   | time zone              | ''",
        "chats show famly            | NOT_FOUND | did you mean family    | midcourse chats",
        "chats policy family lax     | REFUSED   | strict                 | ''",
        "wire family andy --pattern (| REFUSED   | not a regular expression | ''",
        "wirings set x --priority 1  | NOT_FOUND | not found              | midcourse wirings",
        "wirings set x               | USAGE     | at least one option    | midcourse help wirings",
        "approvals alow p1           | USAGE     | got 'alow'             | midcourse approvals allow",
        "approvals wire p1           | USAGE     | expected ID WORKER     | midcourse help approvals",
        "approvals wire p1 andy      | REFUSED   | allow or deny          | ''",
        "why 4711                    | NOT_FOUND | not found              | midcourse chats show",
        "outbox retry zz             | NOT_FOUND | not found              | midcourse outbox"
      })
  void a_mistake_is_named_with_a_remedy(String line, ExitCode code, String what, String remedy) {
    CliRunner.Typed typed = hub.cli().type(line.split(" ", -1));
    assertThat(typed.code()).as(typed.all()).isEqualTo(code);
    assertThat(typed.err()).contains(what).contains(remedy);
    assertThat(typed.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 80, 120})
  void tables_fit_the_terminal(int columns) {
    for (String[] words :
        new String[][] {
          {"people"},
          {"chats"},
          {"chats", "show", "family"},
          {"approvals"},
          {"outbox"},
          {"next"},
          {"why", "1"}
        }) {
      CliRunner.Typed typed = hub.cli().watching(columns).type(words);
      assertThat(typed.out().lines())
          .as(typed.all())
          .isNotEmpty()
          .allMatch(line -> DisplayWidth.of(line.replaceAll("\u001b\\[[0-9;]*m", "")) <= columns);
    }
  }

  private String done(String... words) {
    CliRunner.Typed typed = hub.cli().type(words);
    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.DONE);
    return typed.out();
  }
}

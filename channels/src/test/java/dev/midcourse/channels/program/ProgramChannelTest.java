package dev.midcourse.channels.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.ClientPrograms;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Channel programs as real processes: shell scripts that misbehave, and the example in Python. */
class ProgramChannelTest {
  private static final ChannelName NAME = ChannelName.of("page");
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final ChatAddress CHAT = new ChatAddress(NAME, "c1", Optional.empty());

  @TempDir Path folder;
  private final List<InboundMessage> received = new CopyOnWriteArrayList<>();
  private final List<ChannelNotice> notices = new CopyOnWriteArrayList<>();
  private final List<ProgramChannel> open = new CopyOnWriteArrayList<>();
  private volatile boolean storeFails;

  @AfterEach
  void close() {
    open.forEach(ProgramChannel::close);
  }

  private ProgramSettings settings(String... command) {
    return new ProgramSettings(
        NAME,
        List.of(command),
        new ChannelCapabilities(
            EnumSet.of(ChannelFeature.EDITS, ChannelFeature.REACTIONS),
            new ChannelLimits(4_000, 5, 1_000, Duration.ZERO, Duration.ZERO)),
        Optional.of(new ChannelSecret("s3cret-token")),
        folder.resolve("own"));
  }

  private ProgramChannel start(String... command) {
    ProgramChannel channel =
        new ProgramChannel(
            settings(command),
            new ChannelContext(
                InstantSource.system(), new NoState(), new ProcessLocks(), folder.resolve("own")));
    open.add(channel);
    channel.start(new Recorder());
    return channel;
  }

  /** A program as a shell script; {@code read} takes a line of Midcourse. */
  private ProgramChannel script(String lines) {
    return start("/bin/sh", "-c", lines);
  }

  private static final class NoState implements ChannelState {
    @Override
    public Optional<String> get(String name) {
      return Optional.empty();
    }

    @Override
    public void put(String name, String value) {}
  }

  private final class Recorder implements ChannelListener {
    @Override
    public void receive(InboundMessage message) {
      if (storeFails) {
        throw Problem.of(Code.UNAVAILABLE, "store", "", "the disk is full").refused();
      }
      received.add(message);
    }

    @Override
    public String click(ButtonClick click) {
      return "You chose " + click.button() + ".";
    }

    @Override
    public void notice(ChannelName channel, ChannelNotice notice) {
      notices.add(notice);
    }
  }

  private static final String HELLO = "echo '{\"type\":\"hello\",\"account\":\"bot\"}'\n";

  private static String update(String ack, String text) {
    return "echo '{\"type\":\"update\",\"ack\":\"%s\",\"update\":{\"message_id\":\"%s\",\"chat\":{\"id\":\"c1\",\"kind\":\"direct\"},\"sender\":{\"id\":\"ann\"},\"text\":\"%s\"}}'\n"
        .formatted(ack, ack, text);
  }

  private String file(String name) {
    try {
      return Files.readString(folder.resolve("own").resolve(name));
    } catch (IOException notYet) {
      return "";
    }
  }

  private static SendResult sendText(ProgramChannel channel) {
    return channel.send(
        OutboundId.of("out1abcd"), new ChannelRequest.SendText(CHAT, "hi", Optional.empty()));
  }

  /** Seen to fail when an update is acknowledged and not stored. */
  @Test
  void an_update_is_acknowledged_when_it_is_stored() {
    script(HELLO + update("a1", "Fix the login.") + "read line; echo \"$line\" > answer; cat");
    await().until(() -> file("answer").contains("\n"));
    assertThat(file("answer")).contains("\"type\":\"stored\"", "\"ack\":\"a1\"");
    assertThat(received)
        .singleElement()
        .extracting(InboundMessage::text)
        .isEqualTo("Fix the login.");
  }

  /** Seen to fail when every refusal is answered as final. */
  @Test
  void t461_an_update_that_cannot_be_stored_is_asked_for_again() {
    storeFails = true;
    script(
        HELLO
            + update("a1", "Fix the login.")
            + "read line; echo \"$line\" > first; while read line; do :; done");
    await().until(() -> file("first").contains("\n"));
    assertThat(file("first")).contains("\"type\":\"send_again\"", "the disk is full");
  }

  /** Seen to fail when a line that is no JSON ends the program. */
  @Test
  void a_line_that_is_wrong_is_refused_and_the_next_one_is_taken() {
    script(
        HELLO
            + "echo garbage\necho '{\"type\":\"from-the-future\"}'\n"
            + "echo '{\"type\":\"update\",\"ack\":\"a0\",\"update\":{\"text\":1}}'\n"
            + update("a1", "still here")
            + "read line; echo \"$line\" > first; cat");
    await().until(() -> received.size() == 1);
    assertThat(received.getFirst().text()).isEqualTo("still here");
    await().until(() -> file("first").contains("refused"));
  }

  /** Seen to fail when the end of a program is not seen. */
  @Test
  void a_program_that_ends_is_started_again() {
    script(HELLO + update("a1", "one") + "read line; exit 3");
    await().until(() -> received.size() >= 2);
  }

  /** Seen to fail when the request is tried again. */
  @Test
  void a_request_whose_program_ends_is_unknown_and_not_repeated() {
    ProgramChannel channel = script(HELLO + "read line; echo \"$line\" >> requests; exit 0");
    await().until(() -> channel.status() instanceof ChannelStatus.Connected);
    assertThat(sendText(channel)).isInstanceOf(SendResult.Unknown.class);
    assertThat(file("requests").lines()).hasSize(1);
  }

  /** Seen to fail when a refusal is an unknown result. */
  @Test
  void the_result_of_a_request_is_what_the_program_says() {
    ProgramChannel channel =
        script(
            HELLO
                + "read line; echo '{\"type\":\"result\",\"id\":\"out1abcd\",\"result\":\"retry\",\"after\":7,\"reason\":\"slow down\"}'\n"
                + "read line; echo '{\"type\":\"result\",\"id\":\"out1abcd\",\"result\":\"sent\",\"message_id\":\"p9\"}'\n"
                + "read line; echo '{\"type\":\"result\",\"id\":\"out1abcd\",\"result\":\"refused\",\"reason\":\"no such chat\"}'\n"
                + "read line; echo '{\"type\":\"result\",\"id\":\"out1abcd\"}'\ncat");
    await().until(() -> channel.status() instanceof ChannelStatus.Connected);
    assertThat(sendText(channel))
        .isEqualTo(new SendResult.RetryAfter(Duration.ofSeconds(7), "slow down"));
    assertThat(sendText(channel)).isEqualTo(new SendResult.Sent("p9"));
    assertThat(sendText(channel)).isEqualTo(new SendResult.Refused("no such chat"));
    assertThat(sendText(channel)).isInstanceOf(SendResult.Unknown.class);
    assertThat(channel.identity().orElseThrow().handle()).isEqualTo("bot");
  }

  /** Seen to fail when a message without the program is refused. */
  @Test
  void without_the_program_a_message_waits() {
    ProgramChannel channel = start("/no/such/program");
    await().until(() -> channel.status() instanceof ChannelStatus.Retrying);
    assertThat(sendText(channel)).isInstanceOf(SendResult.RetryAfter.class);
  }

  /** Seen to fail when the line counts as a lost connection. */
  @Test
  void a_program_that_gives_up_is_not_started_again_and_the_owner_is_told() {
    ProgramChannel channel =
        script(
            HELLO
                + "echo '{\"type\":\"stopped\",\"reason\":\"the token was revoked\",\"remedy\":\"Make one.\"}'; cat");
    await().until(() -> !notices.isEmpty());
    assertThat(notices)
        .containsExactly(new ChannelNotice.Stopped("the token was revoked", "Make one."));
    assertThat(channel.status()).isInstanceOf(ChannelStatus.Stopped.class);
  }

  /** Seen to fail when a line has no limit. */
  @Test
  void a_flood_of_lines_and_a_line_without_end_do_not_fill_the_memory() {
    ProgramChannel channel = script(HELLO + "head -c 3000000 /dev/zero | tr '\\0' x; cat");
    await().until(() -> channel.status() instanceof ChannelStatus.Retrying);
  }

  /** Seen to fail when only the program itself is ended. */
  @Test
  void closing_ends_the_program_and_what_it_has_started() {
    ProgramChannel channel =
        script(
            "sleep 600 & echo $! > child\necho $$ > pid\n" + HELLO + "while :; do sleep 1; done");
    await().until(() -> channel.status() instanceof ChannelStatus.Connected);
    channel.close();
    for (String name : List.of("pid", "child")) {
      long pid = Long.parseLong(file(name).strip());
      await()
          .until(() ->
              ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty() || isZombie(pid));
    }
  }

  private static boolean isZombie(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
    } catch (IOException gone) {
      return true;
    }
  }

  /** Seen to fail when the real path is not compared with the folder. */
  @Test
  void a_file_outside_of_the_folder_of_the_program_is_not_given_to_an_agent() throws Exception {
    ProgramChannel channel = script(HELLO + "echo content > inside; ln -s /etc/passwd link; cat");
    await().until(() -> Files.exists(folder.resolve("own/link")));
    Path target = folder.resolve("target");
    for (String path : List.of("../../etc/passwd", "/etc/passwd", "link")) {
      assertThat(fetch(channel, path, target)).contains("not a file in the folder");
    }
    assertThat(fetch(channel, "inside", target)).isEmpty();
    assertThat(target).hasContent("content");
  }

  private static String fetch(ProgramChannel channel, String path, Path target) {
    try {
      channel.fetch(new Attachment("name", "text/plain", 1, path, Optional.empty()), target, 1_000);
      return "";
    } catch (IOException e) {
      return e instanceof java.nio.file.NoSuchFileException
          ? "not a file in the folder"
          : String.valueOf(e.getMessage());
    }
  }

  /** Seen to fail when the program inherits the environment of the hub. */
  @Test
  void a_program_gets_its_token_and_no_other_variable_of_the_hub() {
    script("env > env\n" + HELLO + "cat");
    await().until(() -> file("env").contains("MIDCOURSE_CHANNEL="));
    assertThat(file("env")).contains("MIDCOURSE_CHANNEL_TOKEN=s3cret-token");
    assertThat(file("env").lines().map(line -> line.split("=", 2)[0]))
        .isSubsetOf(
            "PATH",
            "HOME",
            "USER",
            "LANG",
            "LC_ALL",
            "TZ",
            "TMPDIR",
            "NODE_PATH",
            "PYTHONPATH",
            "MIDCOURSE_CHANNEL",
            "MIDCOURSE_CHANNEL_TOKEN",
            "PWD",
            "OLDPWD",
            "SHLVL",
            "_");
  }

  // The conformance test

  @Test
  void the_conformance_test_finds_what_a_program_does_wrong() {
    assertThat(check(LONG, "/bin/sh", "-c", "echo hello; cat").getLast().text())
        .contains("Its first line is not a hello");
    assertThat(
            check(Duration.ofSeconds(1), "/bin/sh", "-c", HELLO + "cat > /dev/null")
                .getLast()
                .text())
        .contains("does not answer a ping");
    assertThat(check(LONG, "/no/such/program").getLast().text()).contains("cannot be run");
  }

  private List<ChannelCheck> check(Duration timeout, String... command) {
    return new ProgramCheck(settings(command), timeout).run();
  }

  @Test
  void the_example_in_python_conforms_and_carries_a_talk() throws Exception {
    Path example = ClientPrograms.repository().resolve("examples/channels/web.py");
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/python3")) || System.getenv("PATH").contains("python"),
        "python3 is missing");
    String port = Integer.toString(freePort());
    assertThat(check(LONG, "python3", example.toString(), port))
        .allMatch(check -> check.result() == ChannelCheck.Result.OK)
        .hasSize(3);

    ProgramChannel channel = start("python3", example.toString(), port);
    await().until(() -> channel.status() instanceof ChannelStatus.Connected);
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI page = URI.create("http://127.0.0.1:" + port);
      client.send(
          HttpRequest.newBuilder(page.resolve("/send"))
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(HttpRequest.BodyPublishers.ofString("text=Fix+the+login."))
              .build(),
          BodyHandlers.discarding());
      await().until(() -> received.size() == 1);
      InboundMessage message = received.getFirst();
      ChatAddress chat = new ChatAddress(NAME, message.ref().chat(), Optional.empty());
      assertThat(
              channel.send(
                  OutboundId.of("reaction1"),
                  new ChannelRequest.SetReaction(
                      chat, message.ref().message(), MessageStatus.RUNNING)))
          .isInstanceOf(SendResult.Sent.class);
      assertThat(
              channel.send(
                  OutboundId.of("answer11"),
                  new ChannelRequest.SendText(chat, "Done.", Optional.empty())))
          .isInstanceOf(SendResult.Sent.class);
      String shown =
          client
              .send(
                  HttpRequest.newBuilder(page.resolve("/messages")).build(),
                  BodyHandlers.ofString())
              .body();
      assertThat(shown).contains("Fix the login.", "running", "Done.");
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}

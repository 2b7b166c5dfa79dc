package dev.midcourse.hub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.code_intelligence.jazzer.mutation.annotation.WithUtf8Length;
import dev.midcourse.agents.mail.MailboxDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every file of a group among its tasks or messages, with any name, is executed, refused in a
 * message or put aside. The mailbox keeps working, no secret is written and no file is written
 * outside. As an ordinary test it uses the stored examples; {@code JAZZER_FUZZ=1} searches for
 * others.
 *
 * <p>Seen to fail when a refusal ends the reader of the mailbox.
 */
@Tag("fuzz")
@Tag("slow")
@SuppressWarnings("NullAway.Init")
class TaskFilesFuzzTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String PROBE = "~the mailbox is read on~";

  /** An old file time, so that no file counts as incomplete. */
  private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));

  @TempDir static Path root;
  private static TestEnvironment environment;
  private static HubFixture fixture;
  private static Path box;

  @BeforeAll
  static void open() throws IOException {
    environment = TestEnvironment.in(root);
    Files.writeString(
        environment.data().resolve("midcourse.toml"),
        """
        [workers.jarvis-worker-1]
        agent = "foreign"

        [groups.andy-developer]
        role = "lead"
        workers = ["jarvis-worker-*"]

        [groups.jarvis-worker-1]
        role = "worker"
        """);
    fixture = HubFixture.asTheFileSays(environment.data());
    box = environment.data().resolve("ipc/andy-developer");
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  @MethodSource("tasks")
  @FuzzTest(maxDuration = "3m")
  void a_task_file(@NotNull @WithUtf8Length(max = 300) String name, @NotNull String text)
      throws IOException {
    leaves("tasks", name, text);
  }

  @MethodSource("messages")
  @FuzzTest(maxDuration = "2m")
  void a_message_file(@NotNull @WithUtf8Length(max = 300) String name, @NotNull String text)
      throws IOException {
    leaves("messages", name, text);
  }

  private static void leaves(String folder, String name, String text) throws IOException {
    try {
      write(folder, name, text);
      write("tasks", "probe.json", "{\"type\":\"message\",\"text\":\"" + PROBE + "\"}");
      await("the message").atMost(LONG).until(() -> inboxTexts().contains(PROBE));
      await("the end of every task").atMost(LONG).until(() -> waiting().isEmpty());
      assertThat(inboxTexts() + reasons())
          .doesNotContain("it could not be done", "Exception", fixture.token());
      assertThat(MailboxFixture.files(environment.data().resolve("ipc")))
          .extracting(it -> it.getFileName().toString())
          .containsExactlyInAnyOrder("andy-developer", "blank.files", "jarvis-worker-1");
      environment.assertUntouched();
    } finally {
      for (String its : List.of("tasks", "messages", "input", "errors")) {
        clear(box.resolve(its));
      }
    }
  }

  /** Writes a file. A group can use any name that its file system accepts. */
  private static void write(String folder, String name, String text) {
    try {
      Path file = box.resolve(folder).resolve(name.replace('/', '_'));
      Path whole = box.resolve("." + folder);
      Files.write(whole, text.getBytes(UTF_8));
      Files.setLastModifiedTime(whole, LONG_AGO);
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | InvalidPathException none) {
      // The file system does not accept this name.
    }
  }

  private static List<Path> waiting() {
    return Stream.of("tasks", "messages")
        .flatMap(folder -> MailboxFixture.files(box.resolve(folder)).stream())
        .filter(file -> MailboxDirectory.isWhole(file.getFileName().toString()))
        .toList();
  }

  private static String inboxTexts() {
    return texts(box.resolve("input"));
  }

  private static String reasons() {
    Path errors = box.resolve("errors");
    return Files.exists(errors) ? texts(errors) : "";
  }

  /**
   * Returns the messages and the reasons of files that were put aside, without the files' content.
   */
  private static String texts(Path folder) {
    StringBuilder all = new StringBuilder();
    for (Path file : MailboxFixture.files(folder)) {
      String name = file.getFileName().toString();
      if (folder.endsWith("input") || name.endsWith(".reason.txt")) {
        all.append(read(file)).append('\n');
      }
    }
    return all.toString();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void clear(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        try {
          Files.deleteIfExists(file);
        } catch (NoSuchFileException taken) {
          // The hub has just deleted the file.
        }
      }
    }
  }

  static Stream<Arguments> tasks() {
    String steer = "{\"type\":\"steer_worker\",\"run_id\":%s,\"message\":%s,\"mode\":%s}";
    String dispatch = "{\"type\":\"dispatch\",\"worker\":%s,\"dispatch\":%s}";
    return Stream.of(
        Arguments.of("a.json", steer.formatted("\"none\"", "\"Use tabs.\"", "\"steer\"")),
        Arguments.of("b.json", steer.formatted("\"../../x\"", "\"\\u0000\"", "\"king\"")),
        Arguments.of("c.json", steer.formatted("{}", "[]", "7")),
        Arguments.of("..json", steer.formatted("\"x\"", "\"\\ud800\"", "null")),
        Arguments.of("d.json", dispatch.formatted("\"nobody\"", "{}")),
        Arguments.of("e.json", dispatch.formatted("\"../x\"", "[1e999]")),
        Arguments.of(
            "f.json",
            dispatch.formatted("\"jarvis-worker-1\"", Dispatches.of("../../x", "Say hello."))),
        Arguments.of(
            "g.json",
            dispatch.formatted("\"jarvis-worker-1\"", Dispatches.of("sync-1", "Say hello."))),
        Arguments.of("h.json", steer.formatted("\"sync-1\"", "\"Use tabs.\"", "\"interrupt\"")),
        Arguments.of("i.json", "{\"type\":\"stop_worker\",\"run_id\":\"sync-1\"}"),
        Arguments.of("j.json", "{\"type\":\"review_run\",\"run_id\":\"sync-1\",\"verdict\":\"\"}"),
        Arguments.of("k.json", "{\"type\":\"withdraw_steer\",\"steer_id\":\"../x\",\"reason\":7}"),
        Arguments.of("l.json", "{\"type\":\"message\",\"to\":\"../..\",\"text\":\"x\"}"),
        Arguments.of("m.json", "{\"type\":\"message\",\"to\":\"main\",\"text\":\"x\"}"),
        Arguments.of("n\n.json", "{\"type\":\"become_king\"}"),
        Arguments.of("x".repeat(250) + ".json", "{]"),
        Arguments.of("-.json", "[".repeat(10_000)),
        Arguments.of(".hidden.json", "{}"),
        Arguments.of("o.txt", "{}"),
        Arguments.of("p.json", ""));
  }

  static Stream<Arguments> messages() {
    return Stream.of(
        Arguments.of("a.json", "{\"text\":\"hello\"}"),
        Arguments.of("b.json", "{\"text\":\"\\u0000\\ud800\",\"to\":\"jarvis-worker-1\"}"),
        Arguments.of("c.json", "{\"text\":{},\"to\":\"../x\"}"),
        Arguments.of("d.json", "{\"text\":\"" + "x".repeat(70_000) + "\"}"),
        Arguments.of("e.json", "{\"type\":\"stop_worker\",\"run_id\":\"sync-1\"}"),
        Arguments.of("..json", "null"),
        Arguments.of("f.json", "{\"text\":1e999}"));
  }
}

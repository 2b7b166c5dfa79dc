package dev.midcourse.proof.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs every command that a document shows and compares its output with the documented output. */
@Tag("slow")
class DocumentedCommandsTest {
  /** Commands that the test does not run, because they run this test. */
  private static final Set<String> RUNS_THIS_TEST = Set.of("./verify", "./verify --quick");

  @BeforeAll
  static void build_what_the_commands_run() throws Exception {
    assertThat(Shell.in(Clone.ROOT).run("./midcourse --version").code()).isZero();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void every_command_does_what_the_document_says(Path document, @TempDir Path home)
      throws Exception {
    Shell shell = Shell.in(Clone.ROOT).home(home);
    for (ConsoleCommand command : ConsoleCommand.in(Files.readString(document))) {
      if (!RUNS_THIS_TEST.contains(command.text())) {
        Shell.Result result = shell.run(command.text());
        String place =
            document + ":" + command.line() + ": " + command.text() + "\n" + result.all();
        assertThat(result.code()).as(place).isZero();
        assertThat(command.promises(result.out())).as(place).isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void no_document_shows_shell_code_that_is_not_typed_here(Path document) throws IOException {
    assertThat(ConsoleCommand.shellBlocksOutsideOfTests(Files.readString(document)))
        .as("mark it ```console in " + document)
        .isEmpty();
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (Path folder : List.of(Clone.ROOT, Clone.ROOT.resolve("docs"))) {
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
      }
    }
    assertThat(documents).contains(Clone.ROOT.resolve("README.md"));
    return documents;
  }
}

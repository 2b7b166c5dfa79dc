package dev.midcourse.proof.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every module rule fails for a forbidden dependency, which the test writes and compiles. */
@Tag("slow")
class ForbiddenDependencyTest {
  private static final Pattern NAME = Pattern.compile("package ([a-z.]+);.*?class (\\w+)");

  @TempDir Path folder;

  @Test
  void core_may_not_open_a_database() throws IOException {
    String store = "package dev.midcourse.core; class Store { java.sql.Connection connection; }";

    assertBroken(ModuleRules.ONLY_LEDGER_TOUCHES_A_DATABASE, "core.Store.connection", store);
  }

  @Test
  void ledger_may_open_a_database() throws IOException {
    compile(
        "package dev.midcourse.ledger; class Store { java.sql.Connection connection; }",
        "package dev.midcourse.core; class Plain { int number; }");

    ModuleRules.ONLY_LEDGER_TOUCHES_A_DATABASE.check(new ClassFileImporter().importPath(folder));
  }

  @Test
  void core_may_not_read_a_file() throws IOException {
    assertBroken(
        ModuleRules.CORE_DOES_NO_IO,
        "core.Reader.read()",
        """
        package dev.midcourse.core; class Reader {
          String read() throws Exception { return java.nio.file.Files.readString(null); } }
        """);
  }

  @Test
  void core_may_not_print() throws IOException {
    assertBroken(
        ModuleRules.CORE_DOES_NO_IO,
        "core.Printer.print()",
        "package dev.midcourse.core; class Printer { void print() { System.out.println(1); } }");
  }

  @Test
  void core_may_not_start_a_thread() throws IOException {
    assertBroken(
        ModuleRules.CORE_STARTS_NO_THREAD,
        "core.Runner.run()",
        "package dev.midcourse.core; class Runner { void run() { Thread.startVirtualThread(null); } }");
  }

  @Test
  void core_may_not_read_the_clock() throws IOException {
    assertBroken(
        ModuleRules.CORE_READS_NO_CLOCK,
        "core.Watch.now()",
        "package dev.midcourse.core; class Watch { Object now() { return java.time.Instant.now(); } }");
    assertBroken(
        ModuleRules.CORE_READS_NO_CLOCK,
        "core.Meter.now()",
        "package dev.midcourse.core; class Meter { long now() { return System.nanoTime(); } }");
    assertBroken(
        ModuleRules.CORE_READS_NO_CLOCK,
        "core.Source.now()",
        """
        package dev.midcourse.core; class Source {
          Object now() { return java.time.InstantSource.system(); } }
        """);
  }

  @Test
  void engine_may_not_start_a_process() throws IOException {
    assertBroken(
        ModuleRules.ONLY_AGENTS_STARTS_PROCESSES,
        "engine.Shell.run()",
        "package dev.midcourse.engine; class Shell { Object run() { return new ProcessBuilder(); } }");
    assertBroken(
        ModuleRules.ONLY_AGENTS_STARTS_PROCESSES,
        "engine.Old.run()",
        """
        package dev.midcourse.engine; class Old {
          Object run() throws Exception { return Runtime.getRuntime().exec("ls"); } }
        """);
  }

  @Test
  void agents_may_not_depend_on_the_engine() throws IOException {
    assertBroken(
        ModuleRules.NO_MODULE_USES_A_HIGHER_ONE,
        "agents.Climber.boss",
        "package dev.midcourse.engine; public class Boss {}",
        "package dev.midcourse.agents; class Climber { dev.midcourse.engine.Boss boss; }");
  }

  @Test
  void a_command_may_not_need_the_hub() throws IOException {
    assertBroken(
        ModuleRules.COMMANDS_DO_WITHOUT_THE_HUB,
        "cli.command.Heavy.hub",
        "package dev.midcourse.hub; public class Hub {}",
        "package dev.midcourse.cli.command; class Heavy { dev.midcourse.hub.Hub hub; }");
  }

  @Test
  void packages_may_not_need_each_other() throws IOException {
    assertBroken(
        ModuleRules.NO_PACKAGE_CYCLES,
        "Cycle detected",
        "package dev.midcourse.engine.a; public class A { dev.midcourse.engine.b.B b; }",
        "package dev.midcourse.engine.b; public class B { dev.midcourse.engine.a.A a; }");
  }

  private void assertBroken(ArchRule rule, String culprit, String... sources) throws IOException {
    compile(sources);
    assertThatThrownBy(() -> rule.check(new ClassFileImporter().importPath(folder)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("because")
        .hasMessageContaining(culprit);
  }

  private void compile(String... sources) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String source : sources) {
      Matcher name = NAME.matcher(source);
      assertThat(name.find()).isTrue();
      Path file = folder.resolve(name.group(1).replace('.', '/'), name.group(2) + ".java");
      Files.createDirectories(file.getParent());
      files.add(Files.writeString(file, source));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  manager,
                  null,
                  List.of("-d", folder.toString()),
                  null,
                  manager.getJavaFileObjectsFromPaths(files))
              .call();
      assertThat(compiled).as(messages.toString()).isTrue();
    }
  }
}

package dev.midcourse.proof.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher, started in all usual ways. */
@Tag("slow")
class LauncherTest {
  private static final String VERSION = "midcourse " + Version.NUMBER + "\n";

  @TempDir Path folder;

  @BeforeAll
  static void build_once() throws Exception {
    assertThat(Shell.in(Clone.ROOT).run("./midcourse --version").code()).isZero();
  }

  @Test
  void it_starts_from_any_folder() throws Exception {
    assertThat(Shell.in(folder).run(quoted(Clone.ROOT.resolve("midcourse")) + " --version").out())
        .isEqualTo(VERSION);
  }

  @Test
  void it_starts_through_links_on_the_path() throws Exception {
    Path programs = Files.createDirectories(folder.resolve("my programs"));
    Files.createSymbolicLink(programs.resolve("mc-real"), Clone.ROOT.resolve("midcourse"));
    Files.createSymbolicLink(programs.resolve("mc"), Path.of("mc-real"));

    Shell shell = Shell.in(folder).with("PATH", programs + ":" + System.getenv("PATH"));

    assertThat(shell.run("mc --version").out()).isEqualTo(VERSION);
  }

  @Test
  void it_passes_the_exit_code_of_the_program_on() throws Exception {
    Shell.Result result = Shell.in(Clone.ROOT).run("./midcourse no-such-command");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("no-such-command");
  }

  @Test
  void doctor_finds_all_it_needs_to_read_the_settings() throws Exception {
    Path data = Files.createDirectories(folder.resolve(".midcourse"));
    Files.writeString(data.resolve("midcourse.toml"), "[hub]\ncolour = 1\n");

    Shell.Result result = Shell.in(Clone.ROOT).home(folder).run("./midcourse doctor");

    assertThat(result.code()).as(result.all()).isEqualTo(1);
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("midcourse.toml:2: unknown setting hub.colour");
  }

  @Test
  void arguments_arrive_as_they_were_typed() throws Exception {
    assertThat(Shell.in(Clone.ROOT).run("./midcourse 'two  words $HOME @x'").err())
        .contains("two  words $HOME @x");
  }

  @Test
  void a_signal_reaches_the_program_and_its_exit_code_comes_back() throws Exception {
    Path clone =
        cloneWithProgram(
            """
            #!/usr/bin/env bash
            trap 'echo ended by a signal; exit 7' TERM
            echo $$ >ready
            while :; do sleep 0.05; done
            """);

    Shell.Result result =
        Shell.in(clone)
            .run(
                """
                trap 'kill -KILL $(cat ready)' EXIT
                ./midcourse anything & program=$!
                until [ -s ready ]; do sleep 0.05; done
                kill -TERM $program
                wait $program
                """);

    assertThat(result.code()).as(result.all()).isEqualTo(7);
    assertThat(result.out()).isEqualTo("ended by a signal\n");
  }

  @Test
  void the_data_folder_is_the_one_that_is_named_or_else_in_the_home_folder() throws Exception {
    Path clone = cloneWithProgram("#!/usr/bin/env bash\nprintf '%s\\n' \"$@\"\n");
    Shell shell = Shell.in(clone).home(Path.of("/home/some one"));

    assertThat(shell.run("./midcourse x").out().lines())
        .contains("-Dmidcourse.home=/home/some one/.midcourse");
    assertThat(shell.with("MIDCOURSE_HOME", "/data").run("./midcourse x").out().lines())
        .contains("-Dmidcourse.home=/data");
    assertThat(shell.with("MIDCOURSE_HOME", "here").run("./midcourse x").out().lines())
        .contains("-Dmidcourse.home=" + clone + "/here");
  }

  @Test
  void without_a_jdk_it_says_which_command_installs_one() throws Exception {
    Shell.Result result =
        Shell.in(folder)
            .run(
                """
                root=%s; . "$root/build/tools.sh"; needed_jdk=99
                find_jdk || explain_missing_jdk
                """
                    .formatted(quoted(Clone.ROOT)));

    assertThat(result.err()).contains("a JDK 99 or newer is needed").contains("install");
  }

  @Test
  void an_old_jdk_in_java_home_is_passed_over() throws Exception {
    Path old = Files.createDirectories(folder.resolve("jdk-17"));
    Files.createDirectories(old.resolve("bin"));
    for (String program : new String[] {"java", "javac"}) {
      Path file = Files.writeString(old.resolve("bin", program), "#!/bin/sh\nexit 1\n");
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");

    Shell.Result result =
        Shell.in(folder)
            .with("JAVA_HOME", old.toString())
            .with("PATH", old.resolve("bin") + ":" + System.getenv("PATH"))
            .run(
                "root=%s; . \"$root/build/tools.sh\"; jdk_major \"$JAVA_HOME\"; find_jdk && jdk_major \"$JAVA_HOME\""
                    .formatted(quoted(Clone.ROOT)));

    assertThat(result.out().lines().toList()).hasSize(2).first().isEqualTo("17");
    assertThat(Integer.parseInt(result.out().lines().toList().getLast()))
        .isGreaterThanOrEqualTo(25);
  }

  @Test
  void a_fresh_copy_builds_itself_once_and_again_only_when_a_source_changed() throws Exception {
    Path copy = copyOfTheSources("a copy & its 'name'");
    Shell shell = Shell.in(copy);

    Shell.Result first = shell.run("./midcourse --version");
    assertThat(first.out()).as(first.all()).isEqualTo(VERSION);
    assertThat(first.err()).startsWith("Building Midcourse, once").hasLineCount(1);

    Shell.Result second = shell.run("./midcourse --version");
    assertThat(second.out()).isEqualTo(VERSION);
    assertThat(second.err()).isEmpty();

    Path broken = copy.resolve("core/src/main/java/dev/midcourse/core/Broken.java");
    Files.writeString(broken, "package dev.midcourse.core; class Broken { int x = \"text\"; }");
    Shell.Result third = shell.run("./midcourse --version");
    assertThat(third.code()).isNotZero();
    assertThat(third.out()).isEmpty();
    assertThat(third.err()).contains("Broken.java").contains("incompatible types");

    Files.delete(broken);
    assertThat(shell.run("./midcourse --version").out()).isEqualTo(VERSION);
  }

  @Test
  void first_uses_at_the_same_time_share_one_build() throws Exception {
    Path copy = copyOfTheSources("shared");

    Shell.Result result =
        Shell.in(copy).run("for i in 1 2 3; do ./midcourse --version & done; wait");

    assertThat(result.out()).as(result.all()).isEqualTo(VERSION.repeat(3));
    assertThat(Shell.in(copy.resolve(".cache/dist")).run("ls -d */").out()).hasLineCount(1);
  }

  /** Creates a clone with a finished build and a script in place of java. */
  private Path cloneWithProgram(String script) throws IOException, InterruptedException {
    Path clone = Files.createDirectories(folder.toRealPath().resolve("clone"));
    Shell.Result copied =
        Shell.in(Clone.ROOT).run("cp -R midcourse build pom.xml " + quoted(clone));
    assertThat(copied.code()).as(copied.all()).isZero();
    Path java = clone.resolve(".cache/dist/one/jdk/bin/java");
    Files.createDirectories(java.getParent());
    assertThat(Files.writeString(java, script).toFile().setExecutable(true)).isTrue();
    Path build = clone.resolve(".cache/dist/one");
    Files.writeString(build.resolve("stamp"), "");
    Files.writeString(build.resolve("made"), build + "\n" + build.resolve("jdk") + "\n");
    Files.writeString(clone.resolve(".cache/dist/current"), "one\n");
    return clone;
  }

  private Path copyOfTheSources(String name) throws IOException, InterruptedException {
    Path copy = Files.createDirectories(folder.resolve(name));
    Shell.Result copied =
        Shell.in(Clone.ROOT)
            .run(
                "git ls-files --cached --others --exclude-standard -z | tar --null -T - -cf - | tar -xf - -C "
                    + quoted(copy));
    assertThat(copied.code()).as(copied.all()).isZero();
    return copy;
  }

  private static String quoted(Path path) {
    return "'" + path.toString().replace("'", "'\\''") + "'";
  }
}

package dev.midcourse.agents.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which runtime is used, and what is said where none can be. */
class ContainerRuntimesTest {
  private static final ImageName IMAGE = new ImageName("localhost/worker:1");

  @TempDir private Path folder;

  @Test
  void without_podman_and_docker_it_says_what_to_install() {
    assertThatIOException()
        .isThrownBy(this::found)
        .withMessageContaining("needs podman or docker")
        .withMessageContaining("install podman");
  }

  @Test
  void podman_as_it_is_set_up_comes_first() throws Exception {
    program("podman", "exit 0");
    program("docker", "exit 0");
    assertThat(found()).isEqualTo(folder.resolve("podman").toString());
  }

  @Test
  void podman_is_used_with_another_program_underneath_where_its_own_does_not_work()
      throws Exception {
    program("podman", "case \"$1 $2\" in 'run '*) echo no cgroups; exit 126 ;; esac");
    assertThat(found()).isEqualTo(folder.resolve("podman") + " --runtime=runc");
  }

  @Test
  void docker_is_used_where_podman_runs_nothing() throws Exception {
    program("podman", "case $* in *' inspect '*) ;; *) echo no cgroups; exit 126 ;; esac");
    program("docker", "exit 0");
    assertThat(found()).isEqualTo(folder.resolve("docker").toString());
  }

  @Test
  void without_a_working_runtime_every_reason_is_named() throws Exception {
    program("podman", "case $* in *' inspect '*) ;; *) echo no cgroups; exit 126 ;; esac");
    program("docker", "echo Cannot connect to the Docker daemon; exit 1");
    assertThatIOException()
        .isThrownBy(this::found)
        .withMessageContaining("no container can be run on this system")
        .withMessageContaining("no cgroups")
        .withMessageContaining("Cannot connect to the Docker daemon");
  }

  @Test
  void a_missing_image_is_reported_with_the_command_that_gets_it() throws Exception {
    program("podman", "echo 'Error: localhost/worker:1: image not known'; exit 125");
    assertThatIOException()
        .isThrownBy(this::found)
        .withMessageContaining("the image localhost/worker:1 is not here")
        .withMessageContaining("podman pull localhost/worker:1");
  }

  @Test
  void the_filter_is_made_of_the_file_that_podman_names() throws Exception {
    Path defaults =
        Files.writeString(folder.resolve("defaults"), "{\"defaultAction\":\"SCMP_ACT_ERRNO\"}");
    program("podman", "[ \"$1\" != info ] || echo '%s'".formatted(defaults));
    assertThat(filterObstacle()).isEmpty();
  }

  @Test
  void a_default_filter_that_permits_by_default_is_named_as_unusable() throws Exception {
    Path defaults =
        Files.writeString(folder.resolve("defaults"), "{\"defaultAction\":\"SCMP_ACT_ALLOW\"}");
    program("podman", "[ \"$1\" != info ] || echo '%s'".formatted(defaults));
    assertThat(filterObstacle())
        .hasValue(
            "the default filter %s cannot be used: it permits the system calls that it does not name"
                .formatted(defaults));
  }

  @Test
  void it_is_reported_that_containers_of_docker_have_no_filter_of_midcourse() throws Exception {
    program("docker", "exit 0");
    assertThat(filterObstacle()).hasValue("docker has its default filter in no file");
  }

  /** Seen to fail when a podman that does not name its default filter counts as one without it. */
  @Test
  void a_podman_that_does_not_answer_is_not_used_without_a_filter() throws Exception {
    program("podman", "case $* in *info*) echo locked; exit 125 ;; esac");
    assertThatIOException().isThrownBy(this::found).withMessageContaining("locked");
  }

  private Optional<String> filterObstacle() throws IOException {
    return new SandboxLauncher(new SystemPrograms(List.of(folder)))
        .filterObstacle(new Sandbox.Container(IMAGE, true, List.of(), List.of()));
  }

  private String found() throws IOException {
    return new ContainerRuntimes(new SystemPrograms(List.of(folder))).find(IMAGE).toString();
  }

  private void program(String name, String script) throws IOException {
    Path program = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }
}

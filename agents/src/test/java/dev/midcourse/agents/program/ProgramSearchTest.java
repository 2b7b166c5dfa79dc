package dev.midcourse.agents.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.core.agent.Capabilities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs are found as a shell finds them, and asked for their version once. */
class ProgramSearchTest {
  private static final ProgramSearch SEARCH = new ProgramSearch("clerk", "get one", Set.of());

  @TempDir Path folder;

  private ProgramLookup find(AgentSettings settings) {
    HubEnvironment hub = new HubEnvironment(Map.of("PATH", folder + ":" + System.getenv("PATH")));
    return SEARCH.find(settings, hub, version -> Capabilities.NONE);
  }

  private Path script(String name, String body) throws IOException {
    Path script = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + body + "\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return script;
  }

  @Test
  void a_program_on_the_path_is_found_with_its_version() throws Exception {
    Path program = script("clerk", "echo 'clerk version 1.20.3 (stable)'");
    assertThat(find(AgentSettings.defaults()))
        .isEqualTo(new ProgramLookup.Found(program.toString(), "1.20.3", Capabilities.NONE));
  }

  @Test
  void it_is_asked_again_only_when_it_has_changed() throws Exception {
    Path asked = folder.resolve("asked");
    Path program = script("clerk", "echo x >> '" + asked + "'; echo 1.0.0");
    find(AgentSettings.defaults());
    find(AgentSettings.defaults());
    assertThat(Files.readAllLines(asked)).hasSize(1);

    Files.setLastModifiedTime(program, FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
    find(AgentSettings.defaults());
    assertThat(Files.readAllLines(asked)).hasSize(2);
  }

  @Test
  void the_configured_command_is_what_is_looked_for() throws Exception {
    Path program = script("other", "echo 3.1");
    assertThat(find(AgentSettings.defaults().withCommand(program.toString())))
        .isEqualTo(new ProgramLookup.Found(program.toString(), "3.1", Capabilities.NONE));
    assertThat(find(AgentSettings.defaults().withCommand("nobody-has-this")))
        .isEqualTo(new ProgramLookup.Missing("nobody-has-this", "get one"));
  }

  /** Seen to fail when a program whose --version fails is found with an unknown version. */
  @Test
  void a_program_that_fails_when_it_is_asked_is_broken() throws Exception {
    Path program = script("clerk", "echo 'Error: Cannot find module cli.js' >&2; exit 1");
    assertThat(find(AgentSettings.defaults()))
        .isEqualTo(
            new ProgramLookup.Broken(
                program.toString(),
                "--version exited with status 1: Error: Cannot find module cli.js",
                "get one"));
    Files.writeString(program, "#!/no/such/interpreter\n");
    assertThat(find(AgentSettings.defaults())).isInstanceOf(ProgramLookup.Broken.class);
    Files.writeString(program, "#!/usr/bin/env no-such-interpreter\n");
    assertThat(find(AgentSettings.defaults())).isInstanceOf(ProgramLookup.Broken.class);
  }

  @Test
  void versions_are_compared_by_their_numbers() {
    assertThat(ProgramVersion.in("2.1.325 (Claude Code)").atLeast("2.1.99")).isTrue();
    assertThat(ProgramVersion.in("0.73.1").atLeast("0.87.1")).isFalse();
    assertThat(ProgramVersion.in("1.0").atLeast("1.0")).isTrue();
    assertThat(ProgramVersion.in("no number here").atLeast("0.0.1")).isFalse();
  }
}

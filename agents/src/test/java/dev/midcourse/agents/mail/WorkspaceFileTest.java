package dev.midcourse.agents.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of a workspace is read without leaving the workspace. */
class WorkspaceFileTest {
  private static final int MAX_BYTES = 1000;

  @TempDir private Path folder;
  private Path workspace;

  @BeforeEach
  void create() throws IOException {
    workspace = Files.createDirectories(folder.resolve("workspace"));
    Files.createDirectories(workspace.resolve("out/deep"));
    Files.writeString(workspace.resolve("out/deep/report ü.txt"), "fine");
    Files.writeString(folder.resolve("secret"), "secret");
  }

  private byte[] read(String path) throws IOException {
    return WorkspaceFile.of(workspace, path).read(MAX_BYTES);
  }

  @Test
  void a_regular_file_is_read_by_a_relative_and_by_an_absolute_path() throws IOException {
    assertThat(read("out/deep/report ü.txt")).asString().isEqualTo("fine");
    assertThat(read("./out//deep/./report ü.txt")).asString().isEqualTo("fine");
    assertThat(read(workspace.resolve("out/deep/report ü.txt").toString()))
        .asString()
        .isEqualTo("fine");
  }

  @Test
  void a_path_out_of_the_workspace_is_refused() {
    refused("../secret", "..");
    refused("out/../../secret", "..");
    refused(folder.resolve("secret").toString(), "outside");
    refused(workspace + "/../secret", "..");
    refused("", "names no file");
    refused(".", "names no file");
    refused("a\0b", "not a path");
  }

  @Test
  void a_link_is_not_followed_neither_the_file_nor_a_folder_on_the_way() throws IOException {
    Files.createSymbolicLink(workspace.resolve("link"), folder.resolve("secret"));
    Files.createSymbolicLink(workspace.resolve("up"), folder);
    Files.createSymbolicLink(workspace.resolve("inside"), workspace.resolve("out"));
    refused("link", "not a plain file");
    refused("up/secret", "links are not followed");
    refused("inside/deep/report ü.txt", "links are not followed");
  }

  @Test
  void a_folder_a_fifo_a_missing_and_a_large_file_are_refused() throws Exception {
    refused("out", "not a plain file");
    refused("nothing", "no such file");
    refused("nothing/at/all", "no such file");
    Files.write(workspace.resolve("large"), new byte[MAX_BYTES + 1]);
    refused("large", "larger than");
    Files.write(workspace.resolve("just"), new byte[MAX_BYTES]);
    assertThat(read("just")).hasSize(MAX_BYTES);
    assertThat(new ProcessBuilder("mkfifo", workspace.resolve("pipe").toString()).start().waitFor())
        .isZero();
    refused("pipe", "not a plain file");
  }

  private void refused(String path, String why) {
    assertThatThrownBy(() -> read(path))
        .as(path)
        .isInstanceOf(MailboxDirectory.Unfit.class)
        .hasMessageContaining(why);
  }
}

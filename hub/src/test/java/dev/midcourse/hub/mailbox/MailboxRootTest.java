package dev.midcourse.hub.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MailboxRootTest {
  @TempDir private Path folder;
  private Path target = Path.of("");
  private Path root = Path.of("");

  @BeforeEach
  void link() throws IOException {
    target = folder.resolve("memory");
    root = Files.createSymbolicLink(folder.resolve("ipc"), target);
  }

  /** Seen to fail when a folder that exists keeps its permissions. */
  @Test
  void a_folder_that_is_open_to_others_is_closed() throws Exception {
    create(target, "rwxr-xr-x");
    assertThat(MailboxRoot.isOpenToOthers(root)).isTrue();
    MailboxRoot.prepare(root);
    assertThat(mode(target)).isEqualTo("rwx------");
    assertThat(MailboxRoot.isOpenToOthers(root)).isFalse();
  }

  /** Seen to fail when a new folder gets its permissions from the umask. */
  @Test
  void a_folder_that_is_missing_is_created_closed() throws Exception {
    Path plain = folder.resolve("plain");
    MailboxRoot.prepare(plain);
    assertThat(mode(plain)).isEqualTo("rwx------");
  }

  /** Seen to fail when a link to nothing is refused like a file. */
  @Test
  void a_link_to_nothing_is_refused_with_the_command_that_helps() {
    assertThatThrownBy(() -> MailboxRoot.prepare(root))
        .hasMessageContaining("does not exist")
        .hasMessageContaining("mkdir -m 700 '" + target + "'");
  }

  /** Seen to fail when the owner is not compared with the user of the hub. */
  @Test
  void a_folder_of_another_user_is_refused() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root can give files away");
    create(target, "rwx------");
    Files.setAttribute(target, "unix:uid", 65534);
    assertThatThrownBy(() -> MailboxRoot.prepare(root))
        .hasMessageContaining("belongs to user 65534");
  }

  /** Seen to fail when the permissions of the folders above are not checked. */
  @Test
  void a_folder_that_others_can_replace_is_refused() throws Exception {
    create(target, "rwx------");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> MailboxRoot.prepare(root))
        .hasMessageContaining("other users can replace " + target.toRealPath())
        .hasMessageContaining("chmod go-w");
  }

  private static void create(Path path, String mode) throws IOException {
    Files.createDirectory(path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}

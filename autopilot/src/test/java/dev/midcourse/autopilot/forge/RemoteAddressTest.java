package dev.midcourse.autopilot.forge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.loop.forge.ForgeKind;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Addresses of repositories, and to which of them a secret is sent. */
class RemoteAddressTest {

  @Test
  void every_form_of_an_address_names_host_and_project() {
    assertThat(RemoteAddress.of("https://github.com/acme/shop.git"))
        .isEqualTo(
            new RemoteAddress(
                "https://github.com/acme/shop.git", Optional.of("github.com"), "acme/shop"));
    assertThat(RemoteAddress.of("git@github.com:acme/shop.git").project()).isEqualTo("acme/shop");
    assertThat(RemoteAddress.of("ssh://git@git.example:2222/a/b/c").project()).isEqualTo("a/b/c");
    assertThat(RemoteAddress.of("ssh://git@git.example:2222/a/b/c").host())
        .contains("git.example:2222");
    assertThat(RemoteAddress.of("/srv/git/acme/shop.git").project()).isEqualTo("acme/shop");
    assertThatThrownBy(() -> RemoteAddress.of("nothing")).isInstanceOf(RefusedException.class);
  }

  /** Seen to fail when the address is kept as it is. */
  @Test
  void a_password_in_an_address_is_dropped() {
    assertThat(RemoteAddress.of("https://anna:s3cret@git.example/acme/shop.git").text())
        .isEqualTo("https://git.example/acme/shop.git");
  }

  /** Seen to fail when only the host is compared. */
  @Test
  void the_secret_goes_only_to_the_host_of_the_forge_and_not_in_clear() {
    ForgeSettings forge = forge("https://git.example/api/v1", "git.example");
    assertThat(forge.mayHaveSecret(RemoteAddress.of("https://git.example/a/b"))).isTrue();
    assertThat(forge.mayHaveSecret(RemoteAddress.of("https://GIT.example/a/b"))).isTrue();
    assertThat(forge.mayHaveSecret(RemoteAddress.of("http://git.example/a/b"))).isFalse();
    assertThat(forge.mayHaveSecret(RemoteAddress.of("https://evil.example/a/b"))).isFalse();
    assertThat(forge.mayHaveSecret(RemoteAddress.of("git@git.example:a/b"))).isFalse();
    assertThat(
            forge("http://127.0.0.1:3000/api/v1", "127.0.0.1:3000")
                .mayHaveSecret(RemoteAddress.of("http://127.0.0.1:3000/a/b")))
        .isTrue();
  }

  private static ForgeSettings forge(String api, String host) {
    return new ForgeSettings(
        "f",
        ForgeKind.GITEA,
        URI.create(api),
        _ -> () -> new ForgeCredential.Secret("", "x"),
        host,
        Optional.empty(),
        Duration.ZERO,
        Duration.ZERO);
  }
}

package dev.midcourse.hub.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.hub.http.server.AuthenticationLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Sign-in, proofs and sessions, with hubs that start one after the other in one data folder. */
class PageSignInTest {
  private static final int PORT = 8787;
  private static final String ORIGIN = "http://127.0.0.1:8787";

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-03-01T09:00:00Z"));
  private final AtomicReference<String> keyFile = new AtomicReference<>("");
  private final SessionsInMemory sessionFile = SessionsInMemory.empty();
  private final TestBrowser browser = new TestBrowser();
  private PageSignIn hub = startHub(PORT);

  private PageSignIn startHub(int port) {
    HubIdentity identity =
        new HubIdentity(line -> keyFile.updateAndGet(kept -> kept.isEmpty() ? line : kept));
    return new PageSignIn(new PageSessions(sessionFile, now::get, port), identity, now::get);
  }

  private void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  private PageSignIn.Started signIn(boolean stay) {
    return hub.start(
        hub.issueCode().text(),
        new PageSignIn.Browser("Chromium on Linux", browser.publicKey(), ORIGIN, stay));
  }

  private Optional<String> access(PageSignIn.Started started) {
    String id = started.session().id();
    PageSignIn.HubProof proof = hub.prove(id, ORIGIN, TestBrowser.NONCE);
    return hub.access(id, proof.hubNonce(), browser.prove(PORT, ORIGIN, id, proof.hubNonce()));
  }

  private boolean opens(PageSignIn at, String accessToken) {
    TcpAuthenticator authenticator =
        new TcpAuthenticator(new TokenAuthenticator(new HubToken("a-token-for-programs")), at);
    return authenticator.authenticate(Optional.of("Bearer " + accessToken)) instanceof Caller.Main;
  }

  @Test
  void the_hub_proves_itself_and_the_page_gets_access() {
    PageSignIn.Started started = signIn(false);
    String id = started.session().id();
    PageSignIn.HubProof proof = hub.prove(id, ORIGIN, TestBrowser.NONCE);
    assertThat(proof.state()).isEqualTo(PageSignIn.State.ACTIVE);
    assertThat(
            TestBrowser.isHub(
                started.hubKey(), PORT, ORIGIN, id, proof.hubNonce(), "ACTIVE", proof.proof()))
        .isTrue();
    String token = access(started).orElseThrow();
    assertThat(opens(hub, token)).isTrue();
    assertThat(opens(hub, token + "x")).isFalse();
  }

  /** Seen to fail when access tokens outlive the hub that issued them. */
  @Test
  void a_restarted_hub_knows_the_session_and_refuses_the_old_access_token() {
    PageSignIn.Started started = signIn(true);
    String token = access(started).orElseThrow();
    hub = startHub(PORT);
    assertThat(opens(hub, token)).isFalse();
    assertThat(opens(hub, access(started).orElseThrow())).isTrue();
    assertThat(signIn(true).hubKey()).isEqualTo(started.hubKey());
  }

  /** Seen to fail when a nonce can be used twice. */
  @Test
  void a_proof_holds_once_for_half_a_minute_and_for_its_own_session() {
    PageSignIn.Started started = signIn(false);
    String id = started.session().id();
    String nonce = hub.prove(id, ORIGIN, TestBrowser.NONCE).hubNonce();
    String proof = browser.prove(PORT, ORIGIN, id, nonce);
    String other = signIn(false).session().id();
    String late = hub.prove(id, ORIGIN, TestBrowser.NONCE).hubNonce();
    assertThat(hub.access(id, nonce, proof)).isPresent();
    assertThat(hub.access(id, nonce, proof)).as("once more").isEmpty();
    String fresh = hub.prove(id, ORIGIN, TestBrowser.NONCE).hubNonce();
    assertThat(hub.access(other, fresh, browser.prove(PORT, ORIGIN, other, fresh)))
        .as("a nonce of another session")
        .isEmpty();
    pass(PageSignIn.NONCE_LIFETIME);
    assertThat(hub.access(id, late, browser.prove(PORT, ORIGIN, id, late))).as("late").isEmpty();
  }

  @Test
  void a_proof_with_another_key_or_of_no_form_gives_no_access() {
    String id = signIn(false).session().id();
    for (String proof :
        List.of(
            new TestBrowser().prove(PORT, ORIGIN, id, nonce(id)),
            "",
            "%%%",
            "AAAA",
            "A".repeat(86))) {
      assertThat(hub.access(id, nonce(id), proof)).as(proof).isEmpty();
    }
    String fresh = nonce(id);
    assertThat(hub.access(id, fresh, new TestBrowser().prove(PORT, ORIGIN, id, fresh))).isEmpty();
  }

  private String nonce(String session) {
    return hub.prove(session, ORIGIN, TestBrowser.NONCE).hubNonce();
  }

  /**
   * A stranger has port 8787, the hub had to take another one, and the stranger passes the messages
   * of the tab on to it. Seen to succeed when the port is neither in the statements nor in the
   * session.
   */
  @Test
  void a_listener_at_the_old_port_cannot_relay_the_session_to_the_hub_at_another_port() {
    PageSignIn.Started started = signIn(true);
    String id = started.session().id();
    hub = startHub(9999);
    PageSignIn.HubProof relayed = hub.prove(id, ORIGIN, TestBrowser.NONCE);
    assertThat(relayed.state()).isEqualTo(PageSignIn.State.ENDED);
    for (String state : List.of("ACTIVE", "ENDED")) {
      assertThat(
              TestBrowser.isHub(
                  started.hubKey(), PORT, ORIGIN, id, relayed.hubNonce(), state, relayed.proof()))
          .as("the page takes it for its hub")
          .isFalse();
    }
    String hubNonce = relayed.hubNonce();
    assertThat(hub.access(id, hubNonce, browser.prove(PORT, ORIGIN, id, hubNonce))).isEmpty();
    String again = nonce(id);
    assertThat(hub.access(id, again, browser.prove(9999, ORIGIN, id, again))).isEmpty();
    hub = startHub(PORT);
    assertThat(access(started)).as("the session is still there").isPresent();
  }

  @Test
  void a_session_lasts_by_choice() {
    PageSignIn.Started tab = signIn(false);
    PageSignIn.Started stays = signIn(true);
    String tabToken = access(tab).orElseThrow();
    pass(Duration.ofHours(24));
    assertThat(opens(hub, tabToken)).isFalse();
    assertThat(access(tab)).isEmpty();
    assertThat(access(stays)).isPresent();
    assertThat(hub.sessions().list())
        .extracting(PageSession::id)
        .containsExactly(stays.session().id());
    pass(Duration.ofDays(29));
    assertThat(access(stays)).isEmpty();
    assertThat(hub.prove(stays.session().id(), ORIGIN, TestBrowser.NONCE).state())
        .isEqualTo(PageSignIn.State.ENDED);
  }

  @Test
  void a_session_is_extended_by_choice_and_its_last_use_is_kept() {
    PageSignIn.Started started = signIn(false);
    String id = started.session().id();
    pass(Duration.ofHours(1));
    assertThat(hub.sessions().extend(id, true).orElseThrow().expiresAt())
        .isEqualTo(now.get().plus(Duration.ofDays(30)));
    pass(Duration.ofHours(30));
    assertThat(access(started)).isPresent();
    hub = startHub(PORT);
    assertThat(hub.sessions().list().getFirst().lastUsedAt()).isEqualTo(now.get());
    assertThat(hub.sessions().extend("unknown", true)).isEmpty();
  }

  @Test
  void a_revoked_session_opens_nothing_and_ends_its_streams() {
    PageSignIn.Started started = signIn(true);
    String token = access(started).orElseThrow();
    List<String> ended = new ArrayList<>();
    TcpAuthenticator authenticator =
        new TcpAuthenticator(new TokenAuthenticator(new HubToken("a-token-for-programs")), hub);
    try (AuthenticationLease lease =
            authenticator.lease(Optional.of("Bearer " + token), () -> ended.add("stream"));
        AuthenticationLease other =
            authenticator.lease(Optional.of("Bearer x"), () -> ended.add("other"))) {
      assertThat(lease.holds()).isTrue();
      assertThat(hub.sessions().revoke(started.session().id()::equals)).isEqualTo(1);
      assertThat(lease.holds()).isFalse();
      assertThat(other.holds()).isTrue();
    }
    assertThat(ended).containsExactly("stream");
    assertThat(opens(hub, token)).isFalse();
    assertThat(access(started)).isEmpty();
    hub = startHub(PORT);
    assertThat(access(started)).as("after a restart").isEmpty();
    assertThat(hub.sessions().revoke(_ -> true)).isZero();
  }

  @Test
  void a_key_that_cannot_be_read_does_not_use_up_the_code() {
    String code = hub.issueCode().text();
    assertThatThrownBy(() -> hub.start(code, new PageSignIn.Browser("x", "no key", ORIGIN, false)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("public_key");
    PageSignIn.Browser sound = new PageSignIn.Browser("x", browser.publicKey(), ORIGIN, false);
    assertThat(hub.start(code, sound).session().browser()).isEqualTo("x");
    assertThatThrownBy(() -> hub.start(code, sound))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("midcourse status");
  }

  @Test
  void the_longest_unused_session_makes_room() {
    String first = signIn(true).session().id();
    for (int i = 0; i < PageSessions.MAX_SESSIONS; i++) {
      pass(Duration.ofSeconds(1));
      signIn(true);
    }
    assertThat(hub.sessions().list()).hasSize(PageSessions.MAX_SESSIONS);
    assertThat(hub.sessions().list()).extracting(PageSession::id).doesNotContain(first);
  }
}

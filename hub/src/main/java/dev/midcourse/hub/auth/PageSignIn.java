package dev.midcourse.hub.auth;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.id.Ids;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The sign-in of the web page. A single-use code starts a session with a key that the browser made.
 * Later the hub proves to the page with its own key that it is the same hub, and only then the page
 * proves with the session's key that it is the same page, and gets an access token. Neither key is
 * ever sent, and each proof holds for one pair of nonces, one address and one port. So a stranger
 * who listens at the address receives nothing that is worth anything at the hub.
 */
public final class PageSignIn {
  static final Duration NONCE_LIFETIME = Duration.ofSeconds(30);

  /**
   * Above the number of requests that unauthenticated callers may make in the lifetime of a nonce.
   */
  static final int MAX_NONCES = 4_096;

  private static final int ID_LENGTH = 12;

  private final SignInCodes codes;
  private final PageSessions sessions;
  private final HubIdentity identity;
  private final AccessTokens accessTokens;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final Ids ids = new Ids(random);

  /** Guarded by itself; the oldest first. */
  private final SequencedMap<String, Pending> nonces = new LinkedHashMap<>();

  private record Pending(String session, String pageNonce, Instant expiresAt) {}

  public PageSignIn(PageSessions sessions, HubIdentity identity, InstantSource clock) {
    this.codes = new SignInCodes(clock);
    this.sessions = sessions;
    this.identity = identity;
    this.accessTokens = new AccessTokens(random);
    this.clock = clock;
  }

  /**
   * A page that signs in.
   *
   * @param origin the address of the page, as its browser names it
   */
  public record Browser(String name, String publicKey, String origin, boolean stay) {}

  /** A session, with the key and port by which the page recognises the hub later. */
  public record Started(PageSession session, String hubKey) {}

  /** Whether a session can be used. */
  public enum State {
    ACTIVE,
    ENDED
  }

  /** The hub's proof for a page. */
  public record HubProof(String hubNonce, State state, String proof) {}

  public PageSessions sessions() {
    return sessions;
  }

  public SignInCodes.Code issueCode() {
    return codes.issue();
  }

  /** Ends a code without a session; returns whether it was valid. */
  public boolean discard(String code) {
    return codes.redeem(code);
  }

  /** Exchanges a code for a session. */
  public Started start(String code, Browser browser) {
    EcKeys.publicKey(browser.publicKey()); // a key that cannot be read does not use up the code
    if (!codes.redeem(code)) {
      throw Problem.of(
              Code.FORBIDDEN,
              "code",
              "a code that is less than a minute old and was not used",
              "this sign-in code was already used or is older than a minute; run midcourse status"
                  + " for a new link")
          .refused();
    }
    Instant now = clock.instant();
    PageSession session =
        new PageSession(
            ids.token(ID_LENGTH),
            browser.name(),
            browser.publicKey(),
            browser.origin(),
            sessions.port(),
            browser.stay(),
            now,
            now,
            now.plus(PageSession.lifetime(browser.stay())));
    sessions.add(session);
    return new Started(session, identity.publicKey());
  }

  /** Proves to the page of a session, which may have ended, that this is its hub. */
  public HubProof prove(String session, String origin, String pageNonce) {
    Optional<PageSession> active =
        sessions.active(session).filter(known -> known.origin().equals(origin));
    State state = active.isPresent() ? State.ACTIVE : State.ENDED;
    String hubNonce = Digests.random(random);
    synchronized (nonces) {
      nonces.put(hubNonce, new Pending(session, pageNonce, clock.instant().plus(NONCE_LIFETIME)));
      if (nonces.size() > MAX_NONCES) {
        nonces.pollFirstEntry();
      }
    }
    String statement = statement("hub", origin, session, pageNonce, hubNonce) + "\n" + state.name();
    return new HubProof(hubNonce, state, identity.sign(statement));
  }

  /** Gives an access token to the page that proves to have the key of an active session. */
  public Optional<String> access(String session, String hubNonce, String proof) {
    Optional<Pending> pending = take(hubNonce).filter(known -> known.session().equals(session));
    Optional<PageSession> active = sessions.active(session);
    boolean proved =
        pending.isPresent()
            && active.isPresent()
            && EcKeys.verify(
                EcKeys.publicKey(active.get().publicKey()),
                statement(
                    "page", active.get().origin(), session, pending.get().pageNonce(), hubNonce),
                proof);
    return proved && sessions.use(session)
        ? Optional.of(accessTokens.issue(session))
        : Optional.empty();
  }

  private Optional<Pending> take(String hubNonce) {
    synchronized (nonces) {
      return Optional.ofNullable(nonces.remove(hubNonce))
          .filter(pending -> clock.instant().isBefore(pending.expiresAt()));
    }
  }

  /**
   * Returns the statement to sign. No part has a line break, so different parts never give the same
   * text.
   */
  private String statement(
      String prover, String origin, String session, String pageNonce, String hubNonce) {
    return String.join(
        "\n",
        "midcourse " + prover + " proof 1",
        Integer.toString(sessions.port()),
        origin,
        session,
        pageNonce,
        hubNonce);
  }

  /** Returns the active session that an access token was issued for, and records its use. */
  Optional<String> session(String accessToken) {
    return accessTokens.session(accessToken).filter(sessions::use);
  }
}

package dev.midcourse.hub.api;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Action;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.json.Examples;
import dev.midcourse.hub.api.json.Requests.DiscardedCode;
import dev.midcourse.hub.api.json.Requests.HubChallenge;
import dev.midcourse.hub.api.json.Requests.PageProof;
import dev.midcourse.hub.api.json.Requests.SessionChange;
import dev.midcourse.hub.api.json.Requests.SignIn;
import dev.midcourse.hub.api.json.Requests.TokenChallenge;
import dev.midcourse.hub.api.json.Views;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.hub.auth.PageSession;
import dev.midcourse.hub.auth.PageSignIn;
import dev.midcourse.hub.auth.SignInCodes;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import java.util.List;
import java.util.regex.Pattern;

/** The HTTP routes of the sign-in: codes, sessions of browsers, and the token of programs. */
final class SignInRoutes {
  private static final Pattern SESSION_ID = Pattern.compile("[a-z0-9]{1,32}");
  private static final String UNNAMED = "Browser";
  private static final String LIST = "list the signed-in browsers";
  private static final String REVOKE = "sign browsers out";
  private static final String SIGN_IN = "make a sign-in code";

  private final HubContext context;
  private final AccessControl accessControl;
  private final PageSignIn signIn;

  SignInRoutes(HubContext context) {
    this.context = context;
    this.accessControl = context.permits();
    this.signIn = context.access().signIn();
  }

  List<Route<?, ?>> routes() {
    return List.of(
        Route.post("/api/v1/sign-in-codes", "Make a single-use code for the web page.")
            .answers(201, "a code that lives one minute", Examples.SIGN_IN_LINK)
            .by(this::issueCode),
        Route.post("/api/v1/sign-in-codes/discard", "End a code that is not needed.")
            .takes(DiscardedCode.class, Examples.DISCARD)
            .answers(200, "whether the code was valid", Examples.DISCARDED)
            .by(this::discard),
        Route.post("/api/v1/sessions", "Sign a browser in: trade a code for a page session.")
            .takes(SignIn.class, Examples.SIGN_IN)
            .answers(
                201, "the page session, and how to recognise the hub", Examples.STARTED_SESSION)
            .forAnyone()
            .by(this::start),
        Route.post(
                "/api/v1/sessions/{session}/challenge",
                "Have the hub prove that it is the hub of this page session.")
            .takes(HubChallenge.class, Examples.HUB_CHALLENGE)
            .answers(200, "the proof of the hub", Examples.HUB_PROOF)
            .forAnyone()
            .by(this::prove),
        Route.post(
                "/api/v1/sessions/{session}/access",
                "Prove to be the browser of a page session, and get an access token.")
            .takes(PageProof.class, Examples.PAGE_PROOF)
            .answers(200, "a token that holds until the hub ends", Examples.ACCESS_TOKEN)
            .forAnyone()
            .by(this::access),
        Route.get("/api/v1/sessions", "The signed-in browsers.")
            .answers(200, "the page sessions, the last used first", Examples.SESSIONS)
            .by(this::list),
        Route.patch(
                "/api/v1/sessions/{session}", "Change how long a browser stays signed in from now.")
            .takes(SessionChange.class, new SessionChange(true))
            .answers(200, "the page session", Examples.SESSIONS.sessions().getFirst())
            .by(this::change),
        Route.delete("/api/v1/sessions", "Sign all browsers out.")
            .answers(200, "how many", Examples.REVOKED)
            .by(this::revokeAll),
        Route.delete("/api/v1/sessions/{session}", "Sign a browser out.")
            .answers(200, "how many", Examples.REVOKED)
            .by(this::revoke),
        Route.post(
                "/api/v1/token/challenge",
                "Have the hub prove that it has the token, before a program sends the token.")
            .takes(TokenChallenge.class, Examples.TOKEN_CHALLENGE)
            .answers(200, "the proof of the hub", Examples.TOKEN_PROOF)
            .forAnyone()
            .by(this::proveToken),
        Route.post("/api/v1/token/rotate", "Replace the token of programs.")
            .answers(200, "the file with the new token", Examples.ROTATED)
            .by(this::rotate));
  }

  private ApiResponse issueCode(ApiCall<Nothing, Nothing> call) {
    accessControl.require(call.caller(), new Action.Keep(SIGN_IN));
    SignInCodes.Code code = signIn.issueCode();
    return ApiResponse.created(
        new Views.SignInLink(
            code.text(), context.access().pageUrl() + "/#code=" + code.text(), code.expiresAt()));
  }

  private ApiResponse discard(ApiCall<DiscardedCode, Nothing> call) {
    accessControl.require(call.caller(), new Action.Keep(SIGN_IN));
    return ApiResponse.ok(new Views.Discarded(signIn.discard(call.body().code())));
  }

  private ApiResponse start(ApiCall<SignIn, Nothing> call) {
    SignIn request = call.body();
    PageSignIn.Started started =
        signIn.start(
            request.code(),
            new PageSignIn.Browser(
                request.browser().orElse(UNNAMED),
                request.publicKey(),
                request.origin(),
                request.stay().orElse(false)));
    PageSession session = started.session();
    return ApiResponse.created(
        new Views.StartedSession(
            session.id(), started.hubKey(), session.port(), session.expiresAt()));
  }

  private ApiResponse prove(ApiCall<HubChallenge, Nothing> call) {
    PageSignIn.HubProof proof =
        signIn.prove(sessionId(call), call.body().origin(), call.body().nonce());
    return ApiResponse.ok(new Views.HubProof(proof.hubNonce(), proof.state(), proof.proof()));
  }

  private ApiResponse access(ApiCall<PageProof, Nothing> call) {
    String token =
        signIn
            .access(sessionId(call), call.body().hubNonce(), call.body().proof())
            .orElseThrow(() ->
                Problem.of(
                        Code.FORBIDDEN,
                        "proof",
                        "the signature of an active page session's key over a new nonce of the hub",
                        "this browser is not signed in; run midcourse status for a" + " new link")
                    .refused());
    return ApiResponse.ok(new Views.AccessToken(token));
  }

  /** Returns the id in the path. It is part of signed statements, so it has a strict form. */
  private static String sessionId(ApiCall<?, ?> call) {
    String id = call.path("session");
    if (!SESSION_ID.matcher(id).matches()) {
      throw noSession().refused();
    }
    return id;
  }

  private ApiResponse list(ApiCall<Nothing, Nothing> call) {
    accessControl.require(call.caller(), new Action.Keep(LIST));
    return ApiResponse.ok(
        new Views.Sessions(signIn.sessions().list().stream().map(Views.OneSession::of).toList()));
  }

  private ApiResponse change(ApiCall<SessionChange, Nothing> call) {
    accessControl.require(
        call.caller(), new Action.Keep("change how long a browser stays signed in"));
    return signIn
        .sessions()
        .extend(call.path("session"), call.body().stay())
        .map(session -> ApiResponse.ok(Views.OneSession.of(session)))
        .orElseThrow(() -> noSession().refused());
  }

  private ApiResponse revokeAll(ApiCall<Nothing, Nothing> call) {
    accessControl.require(call.caller(), new Action.Keep(REVOKE));
    return ApiResponse.ok(new Views.Revoked(signIn.sessions().revoke(_ -> true)));
  }

  private ApiResponse revoke(ApiCall<Nothing, Nothing> call) {
    accessControl.require(call.caller(), new Action.Keep(REVOKE));
    int revoked = signIn.sessions().revoke(call.path("session")::equals);
    if (revoked == 0) {
      throw noSession().refused();
    }
    return ApiResponse.ok(new Views.Revoked(revoked));
  }

  private static Problem noSession() {
    return Problem.of(
        Code.NOT_FOUND,
        "session_id",
        "one of the signed-in browsers",
        "no such browser is signed in");
  }

  /** The port is part of the proof, so that a listener at another port cannot relay it. */
  private ApiResponse proveToken(ApiCall<TokenChallenge, Nothing> call) {
    int port = signIn.sessions().port();
    return ApiResponse.ok(
        new Views.TokenProof(
            port,
            context
                .access()
                .proveToken()
                .apply("midcourse token proof 1\n" + port + "\n" + call.body().nonce())));
  }

  private ApiResponse rotate(ApiCall<Nothing, Nothing> call) {
    accessControl.require(call.caller(), new Action.Keep("replace the token"));
    context.access().rotateToken().run();
    return ApiResponse.ok(
        new Views.RotatedToken(
            context.facts().data().resolve("token").toString(), context.access().keepsToken()));
  }
}

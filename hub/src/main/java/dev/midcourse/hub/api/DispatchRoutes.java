package dev.midcourse.hub.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.agents.git.Patch;
import dev.midcourse.core.FieldDoc;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Group;
import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.contract.Dispatch;
import dev.midcourse.core.contract.DispatchReader;
import dev.midcourse.core.contract.DispatchSchema;
import dev.midcourse.core.contract.Validated;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonWriter;
import dev.midcourse.hub.api.json.Examples;
import dev.midcourse.hub.api.json.Views;
import dev.midcourse.hub.api.operation.DispatchOperations;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import dev.midcourse.hub.http.route.Route.Raw;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The HTTP routes of dispatches, their contract, the groups, and the diff of a run. */
final class DispatchRoutes {
  private static final String PATCH_HEADER = "Midcourse-Patch";

  private final HubContext context;
  private final DispatchOperations dispatches;

  DispatchRoutes(HubContext context, DispatchOperations dispatches) {
    this.context = context;
    this.dispatches = dispatches;
  }

  record To(
      @FieldDoc("whose work it is; without it a declared worker that is free")
          Optional<WorkerName> worker) {}

  record Wrong(String field, String rule, String message) {}

  record Check(boolean sound, List<Wrong> problems, List<String> ignored) {
    static final Check EXAMPLE =
        new Check(
            false,
            List.of(new Wrong("branch", "jarvis-<feature>", "branch is missing")),
            List.of());
  }

  List<Route<?, ?>> routes() {
    return List.of(
        Route.post(
                "/api/v1/dispatch",
                "Dispatch a run: the body is the dispatch, as the contract has it.")
            .takes(Raw.class, new Raw(Examples.DISPATCH))
            .with(To.class)
            .answers(201, "the run", Examples.RUN)
            .refuses(Code.DUPLICATE, Code.UNSUPPORTED)
            .by(this::dispatch),
        Route.post("/api/v1/contract/check", "Say everything that is wrong with a dispatch.")
            .takes(Raw.class, new Raw(Examples.DISPATCH))
            .with(To.class)
            .answers(200, "whether it is sound, and what is wrong", Check.EXAMPLE)
            .by(this::check),
        Route.get("/api/v1/contract/schema", "The JSON Schema of a dispatch.")
            .answers(
                200, "JSON Schema 2020-12", "application/schema+json", "{\"type\": \"object\"}")
            .by(this::schema),
        Route.get("/api/v1/groups", "Who may ask for what.")
            .answers(200, "the groups", Examples.GROUPS)
            .by(this::groups),
        Route.get("/api/v1/runs/{run}/diff", "What the run has changed in its checkout.")
            .answers(
                200,
                "a patch; the header "
                    + PATCH_HEADER
                    + " is whole, partial where its last lines say what it lacks, or none for a run"
                    + " without a checkout of its own",
                "text/plain",
                "diff --git a/App.java b/App.java\n")
            .by(this::diff));
  }

  private ApiResponse dispatch(ApiCall<Raw, To> call) {
    var written = JsonInput.read("dispatch", call.body().text());
    return ApiResponse.created(
        dispatches.dispatch(call.caller(), call.query().worker(), written, Optional.empty()));
  }

  private ApiResponse check(ApiCall<Raw, To> call) {
    return ApiResponse.ok(
        switch (DispatchReader.read(
            JsonInput.read("dispatch", call.body().text()),
            dispatches.rules(call.query().worker()))) {
          case Validated.Valid<Dispatch>(Dispatch sound) ->
              new Check(true, List.of(), sound.ignored());
          case Validated.Invalid<Dispatch>(List<Problem> problems) ->
              new Check(false, problems.stream().map(DispatchRoutes::wrong).toList(), List.of());
        });
  }

  private static Wrong wrong(Problem problem) {
    return new Wrong(problem.field(), problem.rule(), problem.message());
  }

  private ApiResponse schema(ApiCall<Nothing, Nothing> call) {
    byte[] json =
        JsonWriter.indented(DispatchSchema.value(dispatches.commonRules())).getBytes(UTF_8);
    return new ApiResponse.Bytes(200, "application/schema+json", json, Map.of());
  }

  private ApiResponse groups(ApiCall<Nothing, Nothing> call) {
    context.permits().require(call.caller(), new Action.SeeAll());
    return ApiResponse.ok(
        new Views.Groups(
            context.workers().groups().byName().values().stream()
                .map(DispatchRoutes::view)
                .toList()));
  }

  private static Views.OneGroup view(Group group) {
    return new Views.OneGroup(
        group.name().value(),
        group.role().wire(),
        group.workers().stream().map(NamePattern::text).toList());
  }

  private ApiResponse diff(ApiCall<Nothing, Nothing> call) {
    Optional<Patch> patch = dispatches.diff(call.caller(), call.path("run"));
    return new ApiResponse.Bytes(
        200,
        "text/plain; charset=utf-8",
        patch.map(Patch::text).orElse("").getBytes(UTF_8),
        Map.of(PATCH_HEADER, patch.map(it -> it.whole() ? "whole" : "partial").orElse("none")));
  }
}

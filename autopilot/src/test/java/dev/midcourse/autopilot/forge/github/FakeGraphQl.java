package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.fixture.FakeHost.Reply;
import dev.midcourse.core.json.JsonValue;
import graphql.ExecutionInput;
import graphql.ExecutionResult;
import graphql.GraphQL;
import graphql.GraphQLContext;
import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import graphql.execution.CoercedVariables;
import graphql.execution.DataFetcherExceptionHandler;
import graphql.execution.DataFetcherExceptionHandlerResult;
import graphql.language.FieldDefinition;
import graphql.language.ObjectTypeDefinition;
import graphql.language.StringValue;
import graphql.parser.ParserOptions;
import graphql.schema.Coercing;
import graphql.schema.DataFetcher;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.GraphQLScalarType;
import graphql.schema.GraphQLSchema;
import graphql.schema.TypeResolver;
import graphql.schema.idl.FieldWiringEnvironment;
import graphql.schema.idl.InterfaceWiringEnvironment;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.TypeDefinitionRegistry;
import graphql.schema.idl.UnionWiringEnvironment;
import graphql.schema.idl.WiringFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The GraphQL of {@link FakeGitHub}: graphql-java with a schema of GitHub, over maps. A value that
 * is a function gets the arguments of its field.
 */
final class FakeGraphQl {
  private static final String TYPE = "__typename";
  private static final Set<String> BUILT_IN = Set.of("Boolean", "Float", "ID", "Int", "String");

  private final FakeGitHub github;
  private final GraphQL engine;

  /** A failure with a type, as GitHub reports it. */
  private static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String type;

    Failure(String type, String message) {
      super(message);
      this.type = type;
    }
  }

  FakeGraphQl(FakeGitHub github, String schema) {
    this.github = github;
    this.engine =
        GraphQL.newGraphQL(schema(schema)).defaultDataFetcherExceptionHandler(failures()).build();
  }

  /** The part of GitHub's schema that is beside the tests. */
  static String partOfSchema() {
    try (InputStream file =
        Objects.requireNonNull(FakeGraphQl.class.getResourceAsStream("part.graphqls"))) {
      return new String(file.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a schema, also one as large as GitHub's. */
  static TypeDefinitionRegistry registry(String schema) {
    ParserOptions options =
        ParserOptions.newParserOptions()
            .maxCharacters(Integer.MAX_VALUE)
            .maxTokens(Integer.MAX_VALUE)
            .maxWhitespaceTokens(Integer.MAX_VALUE)
            .build();
    TypeDefinitionRegistry registry = new SchemaParser().parse(new StringReader(schema), options);
    registry
        .getTypes(ObjectTypeDefinition.class)
        .forEach(type -> dropRepeatedFields(registry, type));
    return registry;
  }

  /** GitHub's published schema names two fields twice, which GraphQL forbids. */
  private static void dropRepeatedFields(
      TypeDefinitionRegistry registry, ObjectTypeDefinition type) {
    Map<String, FieldDefinition> fields = new LinkedHashMap<>();
    type.getFieldDefinitions().forEach(field -> fields.putIfAbsent(field.getName(), field));
    if (fields.size() < type.getFieldDefinitions().size()) {
      registry.remove(type);
      registry.add(
          type.transform(changed -> changed.fieldDefinitions(List.copyOf(fields.values()))));
    }
  }

  /** Makes a schema whose values are maps. */
  static GraphQLSchema schema(String text) {
    TypeDefinitionRegistry registry = registry(text);
    RuntimeWiring.Builder wiring = RuntimeWiring.newRuntimeWiring();
    registry.scalars().keySet().stream()
        .filter(name -> !BUILT_IN.contains(name))
        .forEach(name -> wiring.scalar(scalar(name)));
    TypeResolver resolver =
        env ->
            env.getObject() instanceof Map<?, ?> map
                ? env.getSchema().getObjectType(String.valueOf(map.get(TYPE)))
                : null;
    wiring.wiringFactory(
        new WiringFactory() {
          @Override
          public boolean providesTypeResolver(InterfaceWiringEnvironment environment) {
            return true;
          }

          @Override
          public TypeResolver getTypeResolver(InterfaceWiringEnvironment environment) {
            return resolver;
          }

          @Override
          public boolean providesTypeResolver(UnionWiringEnvironment environment) {
            return true;
          }

          @Override
          public TypeResolver getTypeResolver(UnionWiringEnvironment environment) {
            return resolver;
          }

          @Override
          public DataFetcher<?> getDefaultDataFetcher(FieldWiringEnvironment environment) {
            return FakeGraphQl::fetch;
          }
        });
    return new SchemaGenerator().makeExecutableSchema(registry, wiring.build());
  }

  private static GraphQLScalarType scalar(String name) {
    return GraphQLScalarType.newScalar().name(name).coercing(new Plain()).build();
  }

  /** A scalar that is passed on as it is. */
  private static final class Plain implements Coercing<Object, Object> {
    @Override
    public Object serialize(Object value, GraphQLContext context, Locale locale) {
      return value;
    }

    @Override
    public Object parseValue(Object value, GraphQLContext context, Locale locale) {
      return value;
    }

    @Override
    public Object parseLiteral(
        graphql.language.Value<?> value,
        CoercedVariables variables,
        GraphQLContext context,
        Locale locale) {
      return value instanceof StringValue text ? String.valueOf(text.getValue()) : value.toString();
    }
  }

  @SuppressWarnings("unchecked")
  private static @Nullable Object fetch(DataFetchingEnvironment environment) {
    Map<String, Object> source = environment.getSource();
    Object value = source == null ? null : source.get(environment.getField().getName());
    return value instanceof Function<?, ?> function
        ? ((Function<Map<String, Object>, Object>) function).apply(environment.getArguments())
        : value;
  }

  private static DataFetcherExceptionHandler failures() {
    return parameters -> {
      Throwable failed = parameters.getException();
      String type = failed instanceof Failure known ? known.type : "INTERNAL";
      GraphQLError error =
          GraphqlErrorBuilder.newError()
              .message(String.valueOf(failed.getMessage()).replace("%", "%%"))
              .path(parameters.getPath())
              .extensions(Map.of("type", type))
              .build();
      return CompletableFuture.completedFuture(
          DataFetcherExceptionHandlerResult.newResult(error).build());
    };
  }

  Reply answer(JsonValue.Obj request, String login) {
    ExecutionResult result =
        engine.execute(
            ExecutionInput.newExecutionInput(request.string("query").orElse(""))
                .root(root(login))
                .variables(variables(request.object("variables")))
                .build());
    JsonValue.Obj answer = JsonValue.object();
    if (result.getData() != null) {
      answer = answer.with("data", json(result.getData()));
    }
    List<JsonValue> errors = new ArrayList<>();
    for (GraphQLError error : result.getErrors()) {
      JsonValue.Obj said = JsonValue.object().with("message", error.getMessage());
      Map<String, Object> more = error.getExtensions();
      if (more != null && more.get("type") instanceof String type) {
        said = said.with("type", type);
      }
      errors.add(said);
    }
    if (!errors.isEmpty()) {
      answer = answer.with("errors", new JsonValue.Arr(errors));
    }
    return Reply.json(200, answer);
  }

  private static Map<String, Object> variables(JsonValue.Obj given) {
    Map<String, Object> variables = new LinkedHashMap<>();
    given.fields().forEach((name, value) -> variables.put(name, plain(value)));
    return variables;
  }

  private static @Nullable Object plain(JsonValue value) {
    return switch (value) {
      case JsonValue.Str(String text) -> text;
      case JsonValue.Num(String literal) -> Integer.valueOf(literal);
      case JsonValue.Bool(boolean truth) -> truth;
      case JsonValue.Null() -> null;
      case JsonValue.Arr(List<JsonValue> values) ->
          values.stream().map(FakeGraphQl::plain).toList();
      case JsonValue.Obj object -> variables(object);
    };
  }

  private static JsonValue json(@Nullable Object value) {
    return switch (value) {
      case null -> new JsonValue.Null();
      case Map<?, ?> map -> {
        JsonValue.Obj object = JsonValue.object();
        for (Map.Entry<?, ?> field : map.entrySet()) {
          object = object.with(String.valueOf(field.getKey()), json(field.getValue()));
        }
        yield object;
      }
      case List<?> list -> new JsonValue.Arr(list.stream().map(FakeGraphQl::json).toList());
      case Boolean truth -> JsonValue.of(truth);
      case Number number -> JsonValue.of(number.longValue());
      default -> JsonValue.of(value.toString());
    };
  }

  private Map<String, Object> root(String login) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("viewer", Map.of(TYPE, "User", "id", "U_" + login, "login", login));
    root.put("repository", argument("name", name -> repository(login, name)));
    root.put("node", argument("id", id -> thread(id).map(t -> thread(t, login)).orElse(null)));
    root.put("resolveReviewThread", input(values -> resolve(login, values)));
    root.put("markPullRequestReadyForReview", input(values -> markReady(login, values)));
    root.put("enqueuePullRequest", input(values -> enqueue(login, values)));
    root.put("enablePullRequestAutoMerge", input(values -> autoMerge(login, values)));
    return root;
  }

  /** A value. */
  private interface Value {
    @Nullable Object of(String argument);
  }

  private static Function<Map<String, Object>, @Nullable Object> argument(
      String name, Value value) {
    return arguments -> value.of(String.valueOf(arguments.get(name)));
  }

  private static Function<Map<String, Object>, Object> input(Function<Map<?, ?>, Object> mutation) {
    return arguments ->
        mutation.apply(arguments.get("input") instanceof Map<?, ?> input ? input : Map.of());
  }

  private @Nullable Object repository(String login, String name) {
    if (!name.equals(FakeGitHub.NAME)) {
      throw new Failure("NOT_FOUND", "Could not resolve to a Repository with the name " + name);
    }
    Map<String, Object> repository = new LinkedHashMap<>();
    repository.put(TYPE, "Repository");
    repository.put("id", "R_1");
    repository.put("name", FakeGitHub.NAME);
    repository.put("nameWithOwner", FakeGitHub.PROJECT);
    repository.put("autoMergeAllowed", github.autoMergeAllowed);
    repository.put("mergeQueue", github.queueForMain ? Map.of("id", "MQ_1") : null);
    repository.put(
        "pullRequest",
        argument(
            "number",
            number ->
                github
                    .pull(number)
                    .map(pull -> pull(pull, login))
                    .orElseThrow(
                        () -> new Failure("NOT_FOUND", "Could not resolve to a PullRequest"))));
    repository.put(
        "pullRequests",
        (Function<Map<String, Object>, Object>)
            arguments ->
                connection(
                    github.pulls.values().stream().map(pull -> pull(pull, login)).toList(),
                    arguments));
    return repository;
  }

  private Map<String, Object> pull(FakePullRequest pull, String login) {
    String head;
    try {
      head = github.head(pull);
    } catch (IOException | InterruptedException e) {
      throw new Failure("INTERNAL", e.toString());
    }
    boolean merged = pull.mergeCommit.isPresent();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(TYPE, "PullRequest");
    map.put("id", "PR_" + pull.number);
    map.put("number", (int) pull.number);
    map.put("title", pull.title);
    map.put("body", pull.body);
    map.put("url", github.api() + "/" + FakeGitHub.PROJECT + "/pull/" + pull.number);
    map.put("state", merged ? "MERGED" : pull.closed ? "CLOSED" : "OPEN");
    map.put("isDraft", pull.draft);
    map.put("author", actor(pull.author));
    map.put("headRefName", pull.branch);
    map.put("baseRefName", pull.base);
    map.put("headRefOid", head);
    map.put("isCrossRepository", false);
    map.put(
        "mergeable", pull.mergeable.map(ok -> ok ? "MERGEABLE" : "CONFLICTING").orElse("UNKNOWN"));
    map.put("mergeStateStatus", pull.mergeState);
    map.put("mergeCommit", pull.mergeCommit.map(FakeGraphQl::commit).orElse(null));
    map.put("mergeQueue", github.queueForMain ? Map.of("id", "MQ_1") : null);
    map.put(
        "mergeQueueEntry",
        pull.queueEntry.map(id -> Map.of("id", id, "state", "QUEUED")).orElse(null));
    map.put("autoMergeRequest", pull.autoMerge ? Map.of("enabledAt", FakeGitHubJson.TIME) : null);
    map.put(
        "comments",
        paged(pull.comments.stream().map(c -> comment("IssueComment", c, login)).toList()));
    map.put("reviewThreads", paged(pull.threads.stream().map(t -> thread(t, login)).toList()));
    map.put(
        "reviews",
        paged(
            pull.reviews.stream()
                .<Object>map(review -> {
                  Map<String, Object> one = new LinkedHashMap<>();
                  one.put("id", "PRR_" + review.id());
                  one.put("state", review.state());
                  one.put("author", actor(review.author()));
                  one.put("commit", review.head().map(FakeGraphQl::commit).orElse(null));
                  return one;
                })
                .toList()));
    map.put(
        "reviewRequests",
        paged(
            pull.requested.stream()
                .<Object>map(name -> Map.of("id", "RR_" + name, "requestedReviewer", actor(name)))
                .toList()));
    List<Object> events = new ArrayList<>();
    for (int i = 0; i < pull.askedOnce.size(); i++) {
      events.add(
          Map.of(
              TYPE,
              "ReviewRequestedEvent",
              "id",
              "RRE_" + i,
              "requestedReviewer",
              actor(pull.askedOnce.get(i))));
    }
    map.put("timelineItems", paged(events));
    return map;
  }

  private static Map<String, Object> commit(String sha) {
    return Map.of(TYPE, "Commit", "id", "C_" + sha, "oid", sha);
  }

  /** An actor as GraphQL names it: without the ending of a program. */
  private static Map<String, Object> actor(String name) {
    if (name.contains("/")) {
      return Map.of(TYPE, "Team", "id", "T_" + name, "combinedSlug", name);
    }
    if (name.equals(FakeGitHub.COPILOT)) {
      return Map.of(TYPE, "Bot", "id", "B_1", "login", "copilot-pull-request-reviewer");
    }
    return FakeGitHub.isBot(name)
        ? Map.of(TYPE, "Bot", "id", "B_2", "login", name.replace("[bot]", ""))
        : Map.of(TYPE, "User", "id", "U_" + name, "login", name);
  }

  private Optional<FakePullRequest.FakeThread> thread(String id) {
    return github.pulls.values().stream()
        .flatMap(pull -> pull.threads.stream())
        .filter(thread -> thread.id.equals(id))
        .findFirst();
  }

  private static Map<String, Object> thread(FakePullRequest.FakeThread thread, String login) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(TYPE, "PullRequestReviewThread");
    map.put("id", thread.id);
    map.put("path", thread.path);
    map.put("line", thread.line.orElse(null));
    map.put("originalLine", thread.originalLine);
    map.put("isResolved", thread.resolved);
    map.put("isOutdated", thread.outdated);
    map.put(
        "comments",
        paged(
            thread.comments.stream()
                .map(c -> comment("PullRequestReviewComment", c, login))
                .toList()));
    return map;
  }

  private static Object comment(String type, FakePullRequest.Comment comment, String login) {
    return Map.of(
        TYPE,
        type,
        "id",
        type + "_" + comment.id,
        "fullDatabaseId",
        Long.toString(comment.id),
        "author",
        actor(comment.author),
        "body",
        comment.body,
        "createdAt",
        comment.time.toString(),
        "viewerDidAuthor",
        comment.author.equals(login));
  }

  private static Function<Map<String, Object>, Object> paged(List<?> all) {
    return arguments -> connection(all, arguments);
  }

  /** A page of a list; the cursor is the number of items before the page. */
  private static Object connection(List<?> all, Map<String, Object> arguments) {
    if (arguments.get("last") instanceof Integer last) {
      return page(all, Math.max(0, all.size() - last), all.size());
    }
    int first = arguments.get("first") instanceof Integer number ? number : 0;
    if (first < 1 || first > 100) {
      throw new Failure("EXCESSIVE_PAGINATION", "first must be from 1 to 100");
    }
    int from = arguments.get("after") instanceof String after ? Integer.parseInt(after) : 0;
    return page(all, from, Math.min(all.size(), from + first));
  }

  private static Object page(List<?> all, int from, int to) {
    return Map.of(
        "totalCount",
        all.size(),
        "nodes",
        all.subList(from, to),
        "pageInfo",
        Map.of("hasNextPage", to < all.size(), "endCursor", Integer.toString(to)));
  }

  private void requireWriter(String login) {
    if (!github.collaborators.contains(login) && !login.endsWith("[bot]")) {
      throw new Failure("FORBIDDEN", "Resource not accessible by personal access token");
    }
  }

  private FakePullRequest pull(Map<?, ?> input) {
    String id = String.valueOf(input.get("pullRequestId"));
    return github
        .pull(id.replace("PR_", ""))
        .orElseThrow(() -> new Failure("NOT_FOUND", "Could not resolve to a node"));
  }

  private FakePullRequest pullAtHead(Map<?, ?> input) {
    FakePullRequest pull = pull(input);
    try {
      if (!github.head(pull).equals(input.get("expectedHeadOid"))) {
        throw new Failure("UNPROCESSABLE", "Head branch was modified.");
      }
    } catch (IOException | InterruptedException e) {
      throw new Failure("INTERNAL", e.toString());
    }
    return pull;
  }

  private Object resolve(String login, Map<?, ?> input) {
    requireWriter(login);
    FakePullRequest.FakeThread thread =
        thread(String.valueOf(input.get("threadId")))
            .orElseThrow(() -> new Failure("NOT_FOUND", "Could not resolve to a node"));
    thread.resolved = true;
    return Map.of("thread", thread(thread, login));
  }

  private Object markReady(String login, Map<?, ?> input) {
    requireWriter(login);
    FakePullRequest pull = pull(input);
    pull.draft = false;
    return Map.of("pullRequest", pull(pull, login));
  }

  private Object enqueue(String login, Map<?, ?> input) {
    requireWriter(login);
    FakePullRequest pull = pullAtHead(input);
    if (!pull.mergeState.equals("CLEAN")) {
      throw new Failure("UNPROCESSABLE", "Pull request is not ready to be queued");
    }
    pull.queueEntry = Optional.of("MQE_" + pull.number);
    return Map.of("mergeQueueEntry", Map.of("id", pull.queueEntry.get(), "state", "QUEUED"));
  }

  private Object autoMerge(String login, Map<?, ?> input) {
    requireWriter(login);
    FakePullRequest pull = pullAtHead(input);
    if (pull.mergeState.equals("CLEAN")) {
      throw new Failure("UNPROCESSABLE", "Pull request is in clean status");
    }
    pull.autoMerge = true;
    return Map.of("pullRequest", pull(pull, login));
  }
}

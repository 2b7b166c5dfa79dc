package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.autopilot.forge.http.HookSignature;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import graphql.ParseAndValidate;
import graphql.language.AstPrinter;
import graphql.language.EnumTypeDefinition;
import graphql.language.EnumValueDefinition;
import graphql.language.FieldDefinition;
import graphql.language.InputObjectTypeDefinition;
import graphql.language.InputValueDefinition;
import graphql.language.InterfaceTypeDefinition;
import graphql.language.Node;
import graphql.language.ObjectTypeDefinition;
import graphql.language.ScalarTypeDefinition;
import graphql.language.TypeDefinition;
import graphql.language.UnionTypeDefinition;
import graphql.parser.Parser;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.TypeDefinitionRegistry;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares our queries and our fake of GitHub with GitHub's own descriptions. */
@Tag("setup")
final class GitHubSchemaTest {
  private static final String SECRET = "the secret of the webhook";

  /** Seen to fail when a field of a query was misspelled. */
  @Test
  void our_queries_are_valid_for_the_schema_of_github() throws Exception {
    GraphQLSchema schema = FakeGraphQl.schema(GitHubDescriptions.read("github.graphqls"));

    for (GitHubQuery query : GitHubQuery.ALL) {
      assertThat(
              ParseAndValidate.validate(
                  schema, Parser.parse(query.text()), rule -> true, Locale.ROOT))
          .as(query.name())
          .isEmpty();
    }
  }

  /** Seen to fail when a field of the part was renamed, and when its type was changed. */
  @Test
  void the_schema_of_our_fake_is_a_part_of_that_of_github() throws Exception {
    TypeDefinitionRegistry whole = FakeGraphQl.registry(GitHubDescriptions.read("github.graphqls"));
    TypeDefinitionRegistry part = FakeGraphQl.registry(FakeGraphQl.partOfSchema());
    Map<String, Set<String>> wholeTypes = new HashMap<>();
    for (TypeDefinition<?> type : whole.types().values()) {
      wholeTypes.put(type.getName(), parts(type));
    }

    for (TypeDefinition<?> type : part.types().values()) {
      assertThat(wholeTypes).containsKey(type.getName());
      assertThat(wholeTypes.get(type.getName())).as(type.getName()).containsAll(parts(type));
    }
    for (ScalarTypeDefinition scalar : part.scalars().values()) {
      assertThat(whole.scalars()).containsKey(scalar.getName());
    }
  }

  /** The fields with their arguments and types, or the values or members, each as one text. */
  private static Set<String> parts(TypeDefinition<?> type) {
    Set<String> parts = new TreeSet<>();
    switch (type) {
      case ObjectTypeDefinition object -> {
        object.getFieldDefinitions().forEach(field -> addField(parts, field));
        object.getImplements().forEach(one -> parts.add("implements " + print(one)));
      }
      case InterfaceTypeDefinition one ->
          one.getFieldDefinitions().forEach(field -> addField(parts, field));
      case InputObjectTypeDefinition input -> {
        for (InputValueDefinition field : input.getInputValueDefinitions()) {
          parts.add(field.getName() + ": " + print(field.getType()));
        }
      }
      case EnumTypeDefinition values -> {
        for (EnumValueDefinition value : values.getEnumValueDefinitions()) {
          parts.add(value.getName());
        }
      }
      case UnionTypeDefinition union ->
          union.getMemberTypes().forEach(member -> parts.add("or " + print(member)));
      default -> throw new IllegalStateException(type.getName());
    }
    return parts;
  }

  private static void addField(Set<String> parts, FieldDefinition field) {
    parts.add(field.getName() + ": " + print(field.getType()));
    for (InputValueDefinition argument : field.getInputValueDefinitions()) {
      parts.add(field.getName() + "(" + argument.getName() + "): " + print(argument.getType()));
    }
  }

  private static String print(Node<?> node) {
    return AstPrinter.printAst(node);
  }

  /** Seen to fail when a demanded field of a pull request was left out by the fake. */
  @Test
  void the_answers_of_our_fake_are_those_that_github_describes(@TempDir Path folder)
      throws Exception {
    OpenApiCheck description = new OpenApiCheck(GitHubDescriptions.read("github-openapi.json"));
    FakeGitHub github = new FakeGitHub(folder, GitHubDescriptions.read("github.graphqls"));

    try (GitHubFixture fixture = new GitHubFixture(github)) {
      useEverything(fixture);
      List<String> errors = new ArrayList<>();
      github.exchanges.forEach(exchange -> errors.addAll(description.errors(exchange)));

      assertThat(errors).isEmpty();
      assertThat(github.exchanges.stream().map(FakeGitHub.Exchange::status))
          .contains(200, 201, 202, 302, 404, 405, 422);
    }
  }

  /** Makes every request that the adapter can make. */
  private static void useEverything(GitHubFixture fixture) throws Exception {
    FakeGitHub github = fixture.github;
    FakePullRequest pull = fixture.pull;
    String head = fixture.head();
    FakePullRequest.FakeThread thread =
        github.addThread(pull, "carl", Optional.of(3), "This is wrong.");
    pull.reviews.add(
        new FakePullRequest.Review(1, "carl", "CHANGES_REQUESTED", Optional.of(head), "No."));
    pull.comments.add(github.comment("eve", "Looks good"));
    github.addCheck(
        head,
        new FakeCheckRun(
            11,
            "build",
            "completed",
            Optional.of("failure"),
            List.of(new FakeCheckRun.Annotation("src/Login.java", 12, "failure", "no semicolon")),
            "log\n"));
    github.statuses.put(head, Map.of("legacy/ci", "pending"));
    github.workflowRuns.add(new FakeGitHub.WorkflowRun(31, head, "failure", 1));
    github.repository.commit("second", "a", "a");

    assertThat(fixture.forge.signIn()).isEqualTo("ann");
    assertThat(fixture.forge.features()).isNotEmpty();
    assertThat(fixture.forge.log("11", 100)).isEqualTo("log\n");
    assertThat(fixture.forge.log("12", 100)).isEmpty();
    ChangeSnapshot snapshot = fixture.snapshot();
    assertThat(snapshot.incomplete()).isEmpty();
    assertThat(snapshot.checks().getFirst().annotations()).hasSize(1);

    done(fixture, new ForgeAct.Open("second", "main", "Title", "Body", true));
    refused(fixture, new ForgeAct.Open("nowhere", "main", "Title", "Body", true));
    done(
        fixture,
        new ForgeAct.Edit(
            fixture.change, Optional.of("Title"), Optional.of("Body"), Optional.empty()));
    pull.draft = true;
    done(fixture, new ForgeAct.MarkReady(fixture.change));
    done(fixture, new ForgeAct.RequestReview(fixture.change, "dora", head));
    done(fixture, new ForgeAct.RequestReview(fixture.change, "shop-owner/team", head));
    done(fixture, new ForgeAct.RequestReview(fixture.change, "copilot", head));
    refused(fixture, new ForgeAct.RequestReview(fixture.change, "stranger", head));
    done(fixture, new ForgeAct.Reply(fixture.change, thread.id, "Fixed.", "midcourse:1"));
    done(fixture, new ForgeAct.Resolve(fixture.change, thread.id));
    done(fixture, new ForgeAct.Comment(fixture.change, "Round 1", "midcourse:2"));
    done(fixture, new ForgeAct.Comment(fixture.change, "Round 2", "midcourse:2"));
    done(fixture, new ForgeAct.RerunFailed(fixture.change, head));
    github.repository.commit("main", "other", "other\n");
    done(fixture, new ForgeAct.UpdateBranch(fixture.change, head));
    assertThat(fixture.perform(new ForgeAct.UpdateBranch(fixture.change, head)))
        .isInstanceOf(ForgeActResult.Already.class);
    pull.mergeState = "BLOCKED";
    refused(fixture, new ForgeAct.Merge(fixture.change, fixture.head()));
    done(fixture, new ForgeAct.Enqueue(fixture.change, fixture.head()));
    pull.autoMerge = false;
    pull.mergeState = "CLEAN";
    github.queueForMain = true;
    done(fixture, new ForgeAct.Enqueue(fixture.change, fixture.head()));
    pull.stacked = true;
    done(fixture, new ForgeAct.Merge(fixture.change, fixture.head()));
    assertThat(fixture.snapshot().state()).isEqualTo(ChangeSnapshot.State.MERGED);
    FakePullRequest other = github.addPull("second");
    refused(fixture, new ForgeAct.Merge(fixture.forge.find("2"), "0ld"));
    done(fixture, new ForgeAct.Close(fixture.forge.find("2")));
    done(
        fixture,
        new ForgeAct.Merge(fixture.forge.find(Long.toString(other.number)), github.head(other)));

    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2_048);
    KeyPair keys = generator.generateKeyPair();
    github.appKey = Optional.of(keys.getPublic());
    String pem =
        "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----"
            .formatted(Base64.getMimeEncoder().encodeToString(keys.getPrivate().getEncoded()));
    try (GitHubAppCredential app =
        new GitHubAppCredential(
            github.api(), FakeGitHub.APP, pem, FakeGitHub.PROJECT, fixture.clock)) {
      assertThat(fixture.open(app).signIn()).isEqualTo("midcourse-test[bot]");
    }
  }

  private static void done(GitHubFixture fixture, ForgeAct act) throws InterruptedException {
    assertThat(fixture.perform(act)).isInstanceOf(ForgeActResult.Done.class);
  }

  private static void refused(GitHubFixture fixture, ForgeAct act) throws InterruptedException {
    assertThat(fixture.perform(act)).isInstanceOf(ForgeActResult.Refused.class);
  }

  /** Seen to fail when the number of a pull request was looked for in another field. */
  @Test
  void the_webhooks_that_github_publishes_are_understood() throws Exception {
    int withProject = 0;
    Set<String> withChange = new TreeSet<>();
    for (JsonValue.Obj event :
        ((JsonValue.Arr) JsonReader.read(GitHubDescriptions.read("github-webhooks.json")))
            .objects()) {
      String name = event.string("name").orElse("");
      for (JsonValue.Obj example : event.objects("examples")) {
        byte[] body = JsonWriter.compact(example).getBytes(UTF_8);
        Optional<GitHubHook> hook =
            GitHubHook.verify(
                SECRET,
                Map.of(
                    "x-github-event",
                    name,
                    "x-github-delivery",
                    "72d3162e-cc78-11e3-81ab-4c9367dc0958",
                    "x-hub-signature-256",
                    "sha256=" + HookSignature.hmac(SECRET, body)),
                body);
        assertThat(hook).as(name).isPresent();
        withProject += hook.get().project().isBlank() ? 0 : 1;
        if (!hook.get().changes().isEmpty() && !hook.get().heads().isEmpty()) {
          withChange.add(name);
        }
      }
    }
    assertThat(withProject).isGreaterThan(100);
    assertThat(withChange)
        .contains("pull_request", "pull_request_review", "check_run", "check_suite");
  }
}

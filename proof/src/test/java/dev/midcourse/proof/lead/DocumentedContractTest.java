package dev.midcourse.proof.lead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.authority.Role;
import dev.midcourse.core.contract.Completion;
import dev.midcourse.core.contract.CompletionBlocks;
import dev.midcourse.core.contract.CompletionReader;
import dev.midcourse.core.contract.Dispatch;
import dev.midcourse.core.contract.DispatchReader;
import dev.midcourse.core.contract.Validated;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.hub.settings.HubSettings;
import dev.midcourse.hub.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the documentation for leads are correct. */
class DocumentedContractTest {
  @TempDir private Path data;

  @Test
  void the_dispatch_of_the_page_is_sound_and_the_completion_of_the_page_answers_it()
      throws IOException {
    String page = page("contract.md");
    Dispatch dispatch =
        DispatchReader.read(JsonInput.read("page", block(page, "```json dispatch\n"))).orRefuse();
    assertThat(dispatch.ignored()).isEmpty();
    Validated<Completion> completion = CompletionReader.read(CompletionBlocks.last(page), dispatch);
    assertThat(completion).isInstanceOf(Validated.Valid.class);
  }

  @Test
  void the_settings_of_the_page_make_a_lead_with_workers() throws IOException {
    Files.writeString(data.resolve(SettingsFile.NAME), block(page("steering.md"), "```toml\n"));
    HubSettings settings = SettingsFile.read(data);
    assertThat(settings.workers().declared(WorkerName.of("jarvis-worker-7")).attempts())
        .isEqualTo(5);
    assertThat(settings.workers().groups().named(GroupName.of("andy-developer")))
        .get()
        .matches(group -> group.role() == Role.LEAD)
        .matches(group -> group.directs(WorkerName.of("jarvis-worker-7")));
  }

  private static String page(String name) throws IOException {
    return Files.readString(Path.of(System.getProperty("midcourse.root", ".."), "docs", name));
  }

  private static String block(String page, String opening) {
    String rest = page.substring(page.indexOf(opening) + opening.length());
    return rest.substring(0, rest.indexOf("```"));
  }
}

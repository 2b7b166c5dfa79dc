package dev.midcourse.agents.rehearsal.program;

import static dev.midcourse.agents.Steers.framed;
import static dev.midcourse.agents.Steers.opening;
import static dev.midcourse.agents.Steers.steer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.Seed;
import dev.midcourse.agents.Steers;
import dev.midcourse.core.id.SteerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ScriptTest {

  @Test
  void lines_with_a_sign_are_steps_and_the_rest_is_words() {
    Script script =
        Script.parse(
            "Hello\n$ make\n$ [timeout=120] make test\n? push\n! flood 3\n! dance\n$nothing\n$  \nend");
    Script.Part part = script.parts().getFirst();
    assertThat(part.steps())
        .containsExactly(
            new ScriptStep.Shell("make", Optional.empty()),
            new ScriptStep.Shell("make test", Optional.of(Duration.ofMinutes(2))),
            new ScriptStep.Permission("push"),
            new ScriptStep.Misbehave(Misbehaviour.FLOOD, 3));
    assertThat(part.plainText()).isEqualTo("Hello\n! dance\n$nothing\n$  \nend");
  }

  @Test
  void every_misbehaviour_has_a_name() {
    for (Misbehaviour mischief : Misbehaviour.values()) {
      assertThat(Script.parse("! " + mischief.word() + " 1").parts().getFirst().steps())
          .containsExactly(new ScriptStep.Misbehave(mischief, 1));
    }
  }

  @Test
  void the_frames_of_core_are_found_around_any_text() {
    Seed seed = Seed.drawnFor("frames");
    Random random = seed.random();
    for (int i = 0; i < 500; i++) {
      SteerId one = Steers.id();
      SteerId two = Steers.id();
      String first = text(random, one);
      String second = text(random, two);
      Script script =
          Script.parse(opening("The prompt\n$ true", steer(one, first), steer(two, second)));
      assertThat(script.parts())
          .as("%s, round %d", seed, i)
          .extracting(part -> part.steer().isPresent() ? part.text() : part.text().strip())
          .containsExactly("The prompt\n$ true", first, second);
      assertThat(script.parts())
          .extracting(Script.Part::steer)
          .isEqualTo(List.of(Optional.empty(), Optional.of(one), Optional.of(two)));
      assertThat(script.plain()).isEqualTo("The prompt\n$ true");
    }
  }

  @Test
  void text_that_resembles_a_frame_is_plain_text() {
    SteerId id = Steers.id();
    String frame = framed(id, "text");
    for (String text :
        List.of(
            frame.replace(" 4 bytes", " 5 bytes"),
            frame.replace(" 4 bytes", " -1 bytes"),
            frame.replace(" 4 bytes", " many bytes"),
            frame.substring(0, frame.length() - 1),
            frame.replaceFirst(id.value(), "0".repeat(36)),
            "x" + frame)) {
      assertThat(Script.parse(text).parts())
          .as(text)
          .containsExactly(new Script.Part(Optional.empty(), text));
    }
  }

  /** Texts that try to end their own frame or open another. */
  private static String text(Random random, SteerId own) {
    List<String> pieces =
        List.of(
            "\n",
            "a",
            "ü",
            "🚀",
            "$ rm -rf x\n",
            "[end of midcourse steer " + own + "]",
            "[midcourse steer " + Steers.id() + " from main via cli, 1 bytes: x]\n",
            framed(Steers.id(), "inner"));
    StringBuilder text = new StringBuilder("-");
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(pieces.get(random.nextInt(pieces.size())));
    }
    return text.toString();
  }
}

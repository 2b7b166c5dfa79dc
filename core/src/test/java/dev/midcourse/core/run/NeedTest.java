package dev.midcourse.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeedTest {
  /** The texts are in stored rows and in the API. */
  @ParameterizedTest
  @CsvSource({
    "asks permission, Answer, 0",
    "asks question, Answer, 0",
    "review, Review, 1",
    "quiet, Quiet, 2",
    "failed contract, FailedContract, 3",
    "timed out, TimedOut, 4",
    "failed, Failed, 5",
    "something new, Unknown, 6"
  })
  void a_need_is_read_from_its_text_and_written_as_the_same_text(
      String text, String type, int rank) {
    Need need = Need.parse(text);
    assertThat(need.getClass().getSimpleName()).isEqualTo(type);
    assertThat(need.text()).isEqualTo(text);
    assertThat(need.rank()).isEqualTo(rank);
  }
}

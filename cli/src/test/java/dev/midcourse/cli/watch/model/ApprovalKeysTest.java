package dev.midcourse.cli.watch.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.watch.WatchFixture;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions about pending approvals in the full-screen view. */
class ApprovalKeysTest {
  private final WatchFixture view = WatchFixture.morning();

  @Test
  void the_requests_are_loaded_when_their_view_opens_and_escape_leaves_it() {
    view.effects();
    view.press("A");
    assertThat(view.effects()).containsExactly(new Effect.LoadApprovals());
    view.press("1y").press(Key.Named.ESCAPE);
    assertThat(view.effects()).isEmpty();
    assertThat(view.board().mode()).isEqualTo(ViewMode.BROWSING);
  }

  @ParameterizedTest
  @CsvSource({
    "1y,  p4, allow, ",
    "2y,  p4, deny,  ",
    "j1y, p5, wire,  andy",
    "j2y, p5, wire,  bo",
    "j3y, p5, deny,  ",
    "jk1y, p4, allow, ",
    "jj3y, p5, deny, "
  })
  void a_number_and_a_yes_decide_the_selected_request(
      String keys, String id, String decision, String worker) {
    view.approvals().effects();
    view.press(keys);
    assertThat(view.effects())
        .containsExactly(
            new Effect.Decide(id, decision, Optional.ofNullable(worker)),
            new Effect.LoadApprovals());
    assertThat(view.board().mode()).isInstanceOf(ViewMode.Approving.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1n", "1 y", "3y", "0y", "9y", "y", "j4y", "12y1n"})
  void without_a_yes_to_a_number_nothing_is_decided(String keys) {
    view.approvals().effects();
    view.press(keys);
    assertThat(view.effects()).isEmpty();
  }

  @Test
  void escape_leaves_the_question_first_and_then_the_view() {
    view.approvals().press("1").press(Key.Named.ESCAPE);
    assertThat(view.board().notice().text()).isEqualTo("p4 not decided");
    assertThat(view.board().mode()).isInstanceOf(ViewMode.Approving.class);
    assertThat(view.press(Key.Named.ESCAPE).board().mode()).isEqualTo(ViewMode.BROWSING);
  }

  @Test
  void a_list_that_is_loaded_again_changes_neither_the_question_nor_the_selection() {
    view.approvals().press(Key.Named.DOWN).press("1");
    view.tell(
        new Message.Approvals(
            List.of(
                request("p5", "unknown_chat"),
                request("p6", "unknown_sender"),
                request("p7", "unknown_sender"))));
    view.effects();
    view.press("y");
    assertThat(view.effects()).contains(new Effect.Decide("p5", "wire", Optional.of("andy")));
    view.press("1y");
    assertThat(view.effects()).contains(new Effect.Decide("p5", "wire", Optional.of("bob")));
    view.press(Key.Named.DOWN).press(Key.Named.DOWN).press(Key.Named.UP).press("1y");
    assertThat(view.effects()).contains(new Effect.Decide("p6", "allow", Optional.empty()));
  }

  @Test
  void requests_that_are_loaded_after_the_view_was_left_do_not_open_it() {
    view.press("A").press(Key.Named.ESCAPE);
    view.tell(new Message.Approvals(List.of(request("p4", "unknown_sender"))));
    assertThat(view.board().mode()).isEqualTo(ViewMode.BROWSING);
  }

  @Test
  void a_hub_that_is_back_is_asked_for_the_requests_again() {
    view.approvals().tell(new Message.Absence(true));
    view.effects();
    view.tell(new Message.Absence(false));
    assertThat(view.effects()).contains(new Effect.LoadApprovals());
  }

  private static ApprovalRequest request(String id, String kind) {
    return WatchFixture.approval(id, kind, "Grace", "Family", "hello", "\"bob\"");
  }
}

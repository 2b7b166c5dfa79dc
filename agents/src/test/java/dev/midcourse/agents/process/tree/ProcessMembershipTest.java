package dev.midcourse.agents.process.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.process.attempt.ProcessMarker;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ProcessMembershipTest {

  private static final ProcessMarker MARK = ProcessMarker.fresh();
  private static final long SELF = 50;

  private static ProcessEntry process(long pid, long parent, long session) {
    return new ProcessEntry(
        new ProcessId(pid, 1000 + pid),
        parent,
        session,
        session,
        "p",
        'S',
        false,
        Optional.empty());
  }

  private static ProcessEntry marked(long pid, long parent, long session, ProcessMarker mark) {
    return new ProcessEntry(
        new ProcessId(pid, 1000 + pid),
        parent,
        session,
        session,
        "p",
        'S',
        false,
        Optional.of(mark));
  }

  private static List<Long> kin(List<ProcessEntry> table, ProcessId... proved) {
    return new ProcessMembership(table, SELF)
        .of(MARK, Set.of(proved)).stream().map(ProcessEntry::pid).toList();
  }

  @Test
  void only_marked_processes_belong() {
    assertThat(
            kin(
                List.of(
                    process(1, 0, 1),
                    process(SELF, 1, 10),
                    marked(100, SELF, 100, MARK),
                    marked(101, 1, 7, MARK),
                    marked(102, 1, 7, ProcessMarker.fresh()),
                    process(103, 1, 7))))
        .containsExactlyInAnyOrder(100L, 101L);
  }

  @Test
  void descendants_belong_whatever_their_session() {
    assertThat(
            kin(
                List.of(
                    process(203, 202, 203),
                    marked(200, 1, 200, MARK),
                    process(201, 200, 200),
                    process(202, 201, 202))))
        .containsExactlyInAnyOrder(200L, 201L, 202L, 203L);
  }

  @Test
  void members_of_a_session_that_kin_leads_belong() {
    assertThat(kin(List.of(marked(300, 1, 300, MARK), process(301, 1, 300))))
        .containsExactlyInAnyOrder(300L, 301L);
  }

  @Test
  void processes_of_a_session_that_a_member_does_not_lead_do_not_belong() {
    assertThat(kin(List.of(process(10, 1, 10), marked(300, 10, 10, MARK), process(301, 10, 10))))
        .containsExactly(300L);
  }

  @Test
  void one_that_was_proved_before_belongs_without_mark_or_parent() {
    assertThat(kin(List.of(process(400, 1, 7)), new ProcessId(400, 1400))).containsExactly(400L);
  }

  @Test
  void one_that_only_has_the_number_of_a_proved_one_does_not_belong() {
    assertThat(kin(List.of(process(400, 1, 7), process(401, 400, 7)), new ProcessId(400, 1399)))
        .isEmpty();
  }

  @Test
  void init_and_we_ourselves_never_belong_nor_does_what_they_started() {
    assertThat(
            kin(
                List.of(
                    marked(1, 0, 1, MARK),
                    process(2, 1, 1),
                    marked(SELF, 1, SELF, MARK),
                    process(500, SELF, SELF))))
        .isEmpty();
  }

  @Test
  void only_groups_that_are_all_kin_in_sessions_of_kin_are_own_groups() {
    List<ProcessEntry> table =
        List.of(
            marked(600, 1, 600, MARK),
            process(601, 600, 600),
            marked(610, 1, 10, MARK),
            process(611, 1, 10),
            process(10, 1, 10));
    ProcessMembership membership = new ProcessMembership(table, SELF);
    assertThat(membership.ownGroups(membership.of(MARK, Set.of()))).containsExactly(600L);
  }

  @Test
  void the_order_of_the_table_does_not_matter() {
    List<ProcessEntry> table =
        Stream.of(marked(700, 1, 700, MARK), process(701, 700, 701), process(702, 1, 701)).toList();
    assertThat(kin(table)).hasSize(3);
    assertThat(kin(table.reversed())).hasSize(3);
  }
}

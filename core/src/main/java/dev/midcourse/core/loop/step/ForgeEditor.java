package dev.midcourse.core.loop.step;

import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.LoopForge;
import dev.midcourse.core.loop.forge.Mergeability;
import dev.midcourse.core.loop.forge.RemoteRemark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A copy of what a loop knows of its change, whose fields can be set. */
final class ForgeEditor {
  String login;
  Optional<ChangeRef> change;
  String base;
  Optional<String> pushed;
  final List<String> earlier;
  Optional<String> verified;
  Optional<String> seen;
  String seenBase;
  boolean draft;
  Mergeability mergeability;
  int asked;
  Optional<String> askedHead;
  final List<RemoteRemark> remarks;
  final List<String> awaited;
  boolean takesOver;
  int activity;
  Optional<Instant> quietFrom;

  ForgeEditor(LoopForge from) {
    login = from.login();
    change = from.change();
    base = from.base();
    pushed = from.pushed();
    earlier = new ArrayList<>(from.earlier());
    verified = from.verified();
    seen = from.seen();
    seenBase = from.seenBase();
    draft = from.draft();
    mergeability = from.mergeability();
    asked = from.asked();
    askedHead = from.askedHead();
    remarks = new ArrayList<>(from.remarks());
    awaited = new ArrayList<>(from.awaited());
    takesOver = from.takesOver();
    activity = from.activity();
    quietFrom = from.quietFrom();
  }

  LoopForge state() {
    return new LoopForge(
        login,
        change,
        base,
        pushed,
        earlier,
        verified,
        seen,
        seenBase,
        draft,
        mergeability,
        asked,
        askedHead,
        remarks,
        awaited,
        takesOver,
        activity,
        quietFrom);
  }

  /** The branch at the forge has this commit from now on. */
  void setPushed(String head) {
    pushed
        .filter(before -> !before.equals(head) && !earlier.contains(before))
        .ifPresent(earlier::add);
    earlier.remove(head);
    pushed = Optional.of(head);
  }

  /** The keys of the remarks that are open at the forge although they were answered. */
  Set<String> waiting() {
    return remarks.stream()
        .filter(RemoteRemark::waits)
        .map(RemoteRemark::key)
        .collect(Collectors.toSet());
  }

  void changeRemarks(UnaryOperator<RemoteRemark> change) {
    remarks.replaceAll(change);
  }
}

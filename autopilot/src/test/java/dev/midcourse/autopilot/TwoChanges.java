package dev.midcourse.autopilot;

import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeFeature;
import java.util.Optional;
import java.util.Set;

/**
 * A forge with two changes, each of which is scripted.
 *
 * @param firstBranch the branch of the first change
 */
record TwoChanges(ScriptedForge first, String firstBranch, ScriptedForge second) implements Forge {
  private ScriptedForge of(ChangeRef change) {
    return change.number().equals("7") ? first : second;
  }

  private ScriptedForge of(String branch) {
    return branch.equals(firstBranch) ? first : second;
  }

  @Override
  public Set<ForgeFeature> features() {
    return first.features();
  }

  @Override
  public String signIn() throws ForgeException {
    return first.signIn();
  }

  @Override
  public Optional<ChangeRef> find(String branch, String base) {
    return of(branch).find(branch, base);
  }

  @Override
  public ChangeRef find(String number) throws ForgeException {
    return of(new ChangeRef(number, "")).find(number);
  }

  @Override
  public ChangeSnapshot snapshot(ChangeRef change) throws ForgeException {
    return of(change).snapshot(change);
  }

  @Override
  public String log(String check, int maxCharacters) {
    return "";
  }

  @Override
  public ForgeActResult perform(ForgeAct act) {
    ScriptedForge its =
        switch (act) {
          case ForgeAct.Open it -> of(it.branch());
          case ForgeAct.Edit it -> of(it.change());
          case ForgeAct.MarkReady it -> of(it.change());
          case ForgeAct.RequestReview it -> of(it.change());
          case ForgeAct.Reply it -> of(it.change());
          case ForgeAct.Resolve it -> of(it.change());
          case ForgeAct.Comment it -> of(it.change());
          case ForgeAct.RerunFailed it -> of(it.change());
          case ForgeAct.UpdateBranch it -> of(it.change());
          case ForgeAct.Merge it -> of(it.change());
          case ForgeAct.Enqueue it -> of(it.change());
          case ForgeAct.Close it -> of(it.change());
        };
    return its.perform(act);
  }

  @Override
  public void close() {}
}

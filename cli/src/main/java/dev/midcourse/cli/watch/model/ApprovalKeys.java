package dev.midcourse.cli.watch.model;

import dev.midcourse.cli.screen.TextColor;
import java.util.List;
import java.util.Optional;

/** The keys of the view of approvals: a digit chooses a decision, and only a yes sends it. */
final class ApprovalKeys {
  private ApprovalKeys() {}

  static Next open(Model model) {
    return Next.to(model.in(ViewMode.Approving.LOADING), new Effect.LoadApprovals());
  }

  static Next on(Model model, ViewMode.Approving view, Key key) {
    if (view.question().isPresent()) {
      return confirmed(model.in(view.withoutQuestion()), view.question().get(), key);
    }
    return switch (key) {
      case Key.Typed(String text) -> typed(model, view, text);
      case Key.Paste(String _) -> Next.to(model);
      case Key.Named named ->
          named == Key.Named.DOWN
              ? Next.to(model.in(view.moved(1)))
              : named == Key.Named.UP
                  ? Next.to(model.in(view.moved(-1)))
                  : Next.to(named == Key.Named.ESCAPE ? model.in(ViewMode.BROWSING) : model);
    };
  }

  private static Next typed(Model model, ViewMode.Approving view, String text) {
    return switch (text) {
      case "j" -> Next.to(model.in(view.moved(1)));
      case "k" -> Next.to(model.in(view.moved(-1)));
      case "A" -> Next.to(model, new Effect.LoadApprovals());
      case "q" -> Next.to(model.in(ViewMode.BROWSING));
      default -> chosen(model, view, text);
    };
  }

  private static Next chosen(Model model, ViewMode.Approving view, String text) {
    Optional<ApprovalRequest> selected = view.selected();
    List<ApprovalRequest.Choice> choices = selected.map(ApprovalRequest::choices).orElse(List.of());
    int digit = text.length() == 1 ? "123456789".indexOf(text) : -1;
    return selected.isPresent() && digit >= 0 && digit < choices.size()
        ? Next.to(model.in(view.asking(new ViewMode.Decision(selected.get(), choices.get(digit)))))
        : Next.to(model);
  }

  /** The list is loaded after the decision, also if the hub refuses it. */
  private static Next confirmed(Model model, ViewMode.Decision question, Key key) {
    String id = question.approval().id();
    ApprovalRequest.Choice choice = question.choice();
    return key instanceof Key.Typed(String text) && text.equals("y")
        ? Next.to(
            model,
            new Effect.Decide(id, choice.decision(), choice.worker()),
            new Effect.LoadApprovals())
        : Next.to(model.saying(TextColor.DIM, id + " not decided"));
  }
}

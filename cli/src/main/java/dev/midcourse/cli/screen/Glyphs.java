package dev.midcourse.cli.screen;

/** Signs at the beginning of lines, in Unicode and in ASCII. */
public enum Glyphs {
  UNICODE("✓", "✗", "!", "▸", "·", "→", "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "●", "○", "─", "–"),
  ASCII("+", "x", "!", ">", "-", "->", "|/-\\", "#", ".", "-", "-");

  private final String yes;
  private final String no;
  private final String attention;
  private final String begins;
  private final String dot;
  private final String arrow;
  private final String spinner;
  private final String reached;
  private final String ahead;
  private final String rule;
  private final String none;

  Glyphs(
      String yes,
      String no,
      String attention,
      String begins,
      String dot,
      String arrow,
      String spinner,
      String reached,
      String ahead,
      String rule,
      String none) {
    this.yes = yes;
    this.no = no;
    this.attention = attention;
    this.begins = begins;
    this.dot = dot;
    this.arrow = arrow;
    this.spinner = spinner;
    this.reached = reached;
    this.ahead = ahead;
    this.rule = rule;
    this.none = none;
  }

  public String yes() {
    return yes;
  }

  public String no() {
    return no;
  }

  public String attention() {
    return attention;
  }

  public String begins() {
    return begins;
  }

  public String dot() {
    return dot;
  }

  public String arrow() {
    return arrow;
  }

  public String spinner(long frame) {
    return String.valueOf(spinner.charAt((int) (frame % spinner.length())));
  }

  /** Returns the sign of a reached rung. */
  public String reached() {
    return reached;
  }

  /** Returns the sign of a rung that is not reached. */
  public String ahead() {
    return ahead;
  }

  /** Returns the sign for lines between parts of a screen. */
  public String rule() {
    return rule;
  }

  /** Returns the sign of an empty table cell. */
  public String none() {
    return none;
  }
}
